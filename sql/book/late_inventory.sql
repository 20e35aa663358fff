-- book.late_inventory: the inventory of the contracts whose dealer positions or open interest
-- arrived after the open, read as in book.opening_positions, and the first state that knows it: the
-- inventory at the open, had all data known by then been known there.
-- grain: root, expiry, strike, option_type, enters_at
-- reads: book.inventory, book.opening_positions, tape.dealer_positions, tape.expiries, tape.open_interest, tape.session
with

late as (
    select root, expiry, strike, option_type, 'measured' as source, 3 as trust, quantity, known_at
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
        case option_type when 'C' then open_interest when 'P' then -open_interest end,
        known_at
    from tape.open_interest
    where open_interest is not null
),

facts as (
    select
        * exclude (known_at),
        date_trunc('minute', known_at) + interval 1 minute as enters_at
    from late
    where known_at >= (select opens_at from tape.session)
),

-- first state with measured positions
measured as (
    select
        case
            when (select count(*) from book.opening_positions where source = 'measured') > 0
                then timestamp '-infinity'
            else coalesce(min(enters_at), timestamp 'infinity')
        end as measured_at
    from facts
    where source = 'measured'
),

-- states at which the inventory of a contract may change: with a report of its own, and with the
-- first measured positions
entry_times as (
    select distinct root, expiry, strike, option_type, enters_at
    from facts
    union
    select inventory.root, inventory.expiry, inventory.strike, inventory.option_type, measured_at
    from book.inventory as inventory
    cross join measured
    where isfinite(measured_at)
    union
    select facts.root, facts.expiry, facts.strike, facts.option_type, measured_at
    from facts
    cross join measured
    where isfinite(measured_at) and facts.enters_at < measured_at
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
        arg_max(known.source, known.trust) as source,
        arg_max(known.quantity, known.trust) as open_quantity,
        max(known.quantity) filter (known.source = 'open_interest') as naive_quantity
    from entry_times
    inner join known
        on known.root = entry_times.root
        and known.expiry = entry_times.expiry
        and known.strike = entry_times.strike
        and known.option_type = entry_times.option_type
        and (known.enters_at is null or known.enters_at <= entry_times.enters_at)
    group by all
),

valued as (
    select
        held.*,
        coalesce(
            case when enters_at >= measured_at then open_quantity else naive_quantity end, 0
        ) as oi_quantity,
        case when enters_at >= measured_at then source else 'open_interest' end as oi_source
    from held
    cross join measured
)

select
    valued.root,
    valued.expiry,
    valued.strike,
    valued.option_type,
    valued.enters_at,
    valued.source,
    valued.open_quantity,
    valued.oi_quantity,
    valued.oi_source
from valued
inner join tape.expiries as expiries using (root, expiry)
where expiries.expires_at > (select opens_at from tape.session)
