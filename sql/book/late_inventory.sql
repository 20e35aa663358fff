-- book.late_inventory: the inventory of the contracts whose dealer positions or open interest
-- arrived after the open, read as in book.inventory, and the first state that knows it: the
-- inventory at the open, had all data known by then been known there.
-- grain: root, expiry, strike, option_type, enters_at
-- reads: book.known_positions, tape.expiries, tape.session
with

entry_times as (
    select distinct root, expiry, strike, option_type, enters_at
    from book.known_positions
    where enters_at is not null
),

held as (
    select
        entry_times.root,
        entry_times.expiry,
        entry_times.strike,
        entry_times.option_type,
        entry_times.enters_at,
        max(known.open_interest) as open_interest,
        arg_max(known.source, known.trust) as source,
        arg_max(known.quantity, known.trust) as quantity,
        arg_max_null(known.guessed_quantity, known.trust) as guessed_quantity,
        arg_max_null(known.measured_quantity, known.trust) as measured_quantity,
        arg_max(known.deviation_quantity, known.trust) as deviation_quantity,
        arg_max(known.balance_quantity, known.trust) as balance_quantity,
        arg_max(known.rate_quantity, known.trust) as rate_quantity
    from entry_times
    inner join book.known_positions as known
        on known.root = entry_times.root
        and known.expiry = entry_times.expiry
        and known.strike = entry_times.strike
        and known.option_type = entry_times.option_type
        and (known.enters_at is null or known.enters_at <= entry_times.enters_at)
    group by all
)

select
    held.root,
    held.expiry,
    held.strike,
    held.option_type,
    held.enters_at,
    held.source,
    bounded_position(held.quantity, held.open_interest) as open_quantity,
    bounded_guess(
        held.guessed_quantity, held.measured_quantity, held.open_interest
    ) as guessed_quantity,
    bounded_position(held.deviation_quantity, held.open_interest) as deviation_quantity,
    bounded_position(held.balance_quantity, held.open_interest) as balance_quantity,
    bounded_position(held.rate_quantity, held.open_interest) as rate_quantity,
    convention_quantity(held.option_type, held.open_interest) as oi_quantity
from held
inner join tape.expiries as expiries using (root, expiry)
where expiries.expires_at > (select opens_at from tape.session)
