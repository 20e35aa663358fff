-- surface.bases: the distance of each future above the index in the minute before each state: the
-- median of its prices less the last value of the index at each. A minute without a price has no
-- row.
-- grain: minute_et, contract
-- reads: surface.spot_values, tape.futures, tape.minutes
with

priced as (
    select
        minutes.minute_et,
        minutes.minute_at,
        futures.contract,
        futures.priced_at,
        futures.price,
        futures.volume
    from tape.futures as futures
    inner join tape.minutes as minutes
        on minutes.minute_at = date_trunc('minute', futures.priced_at) + interval 1 minute
    where futures.known_at < minutes.minute_at
),

candidate_spots as (
    select *, unnest(minutes_served(spotted_at)) as minute_at
    from surface.spot_values
),

indexes as (
    select minute_at, spotted_at, arg_max(spot, (spotted_at, sequence)) as spot
    from candidate_spots
    semi join priced using (minute_at)
    where serves_minute(spotted_at, known_at, serves_until, minute_at)
    group by minute_at, spotted_at
),

compared as (
    select priced.*, indexes.spot
    from priced
    asof left join indexes
        on priced.minute_at = indexes.minute_at and priced.priced_at >= indexes.spotted_at
)

select
    minute_et,
    minute_at,
    contract,
    median(price - spot) as basis,
    case when count(spot) = 0 then 'no_index' end as reason,
    count(spot)::integer as price_count,
    sum(volume)::double as volume
from compared
group by minute_et, minute_at, contract
