-- ledger.settlements: the settlement value of contracts that expire at the PM close: the official
-- one; else the index from the close on, once unchanged for a minute; else its last value before
-- the close, which it always is for a simulated session; without one, that of put-call parity at
-- the close, with its error. Any but the official one is published at the session's last minute,
-- from the data known then.
-- grain: one row
-- reads: surface.spots, tape.minutes, tape.session, tape.settlements, tape.spots
with

-- none before the last minute of a session that runs
last_state as (
    select session.*, minutes.minute_at as last_minute_at
    from tape.session as session
    inner join tape.minutes as minutes
        on minutes.minute_at = session.closes_at - interval 1 minute
),

-- of two the one that names its symbol
official as (
    select arg_max(settlement, symbol is not null) as value
    from tape.settlements
),

-- of two values of an instant the one that names its symbol
after_close as (
    select spots.spotted_at, arg_max(spots.spot, spots.symbol is not null) as spot
    from tape.spots as spots
    inner join last_state
        on spots.spotted_at >= last_state.pm_expires_at
        and spots.spotted_at < last_state.last_minute_at
        and spots.known_at < last_state.last_minute_at
    where not last_state.is_simulated
    group by spots.spotted_at
),

-- values in a row that are equal stand from the first of them on
changed as (
    select
        spotted_at,
        spot,
        coalesce(spot <> lag(spot) over (order by spotted_at), true) as is_other
    from after_close
),

numbered as (
    select
        spotted_at,
        spot,
        count(*) filter (is_other) over (order by spotted_at) as run_number
    from changed
),

steady_runs as (
    select run_number, min(spotted_at) as spotted_at, any_value(spot) as spot
    from numbered
    group by run_number
    having max(spotted_at) >= min(spotted_at) + interval 1 minute
),

unchanged as (
    select min(spotted_at) as spotted_at, arg_min(spot, spotted_at) as spot
    from steady_runs
),

last_before as (
    select spots.spot, spots.spotted_at, spots.spot_source, spots.spot_error
    from surface.spots as spots
    inner join last_state on spots.minute_at = last_state.pm_expires_at
)

select
    last_state.session_date,
    coalesce(official.value, unchanged.spot, last_before.spot) as settlement,
    case
        when official.value is not null then 'official'
        when unchanged.spot is not null then 'index_unchanged'
        when last_before.spot_source = 'index' then 'last_index'
        when last_before.spot_source = 'parity' then 'last_parity'
    end as source,
    case
        when official.value is null then coalesce(unchanged.spotted_at, last_before.spotted_at)
    end as spotted_at,
    case when source is null then 'no_index' end as reason,
    case when source = 'last_parity' then last_before.spot_error end as settlement_error
from last_state
cross join official
cross join unchanged
left join last_before on true
