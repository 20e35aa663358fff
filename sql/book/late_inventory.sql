-- book.late_inventory: the inventory of the contracts whose dealer positions or open interest
-- arrived after the open, read as in book.inventory, and the first state that knows it: the
-- inventory at the open, had all data known by then been known there.
-- grain: root, expiry, strike, option_type, enters_at
-- reads: book.opening_positions, tape.dealer_positions, tape.expiries, tape.open_interest, tape.session
with

late as (
    select
        root,
        expiry,
        strike,
        option_type,
        'measured' as source,
        3 as trust,
        whole_contracts(quantity) as quantity,
        whole_contracts(coalesce(guessed_quantity, 0)) as guessed_quantity,
        null::bigint as open_interest,
        known_at
    from tape.dealer_positions
    where quantity is not null
    union all
    select
        root,
        expiry,
        strike,
        option_type,
        'open_interest',
        1,
        whole_contracts(0),
        whole_contracts(open_interest),
        open_interest,
        known_at
    from tape.open_interest
    where open_interest is not null
),

facts as (
    select
        * exclude (known_at),
        whole_contracts(0) as deviation_quantity,
        date_trunc('minute', known_at) + interval 1 minute as enters_at
    from late
    where known_at >= (select opens_at from tape.session)
),

known as (
    select *, null::timestamp as enters_at
    from book.opening_positions
    union all by name
    from facts
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
        arg_max(known.deviation_quantity, known.trust) as deviation_quantity
    from (select distinct root, expiry, strike, option_type, enters_at from facts) as entry_times
    inner join known
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
    convention_quantity(held.option_type, held.open_interest) as oi_quantity
from held
inner join tape.expiries as expiries using (root, expiry)
where expiries.expires_at > (select opens_at from tape.session)
