-- live.zones: stretches of the session whose orders the news of the newest state may have changed,
-- and the prints that it takes to fold them again. Nothing that prints farther than the reach from
-- an order changes it: a zone holds what lies within the reach of the news, the orders there, and
-- the orders that these lie among.
-- grain: zone
-- reads: live.near_spans, live.news
-- param: reach_slow_us, reach_us
with

apart as (
    select
        *,
        case when is_slow then $reach_slow_us::bigint else $reach_us::bigint end as reach_us,
        -- no more than what both sides take to be folded again
        coalesce(printed_us - lag(printed_us) over in_time > 6 * reach_us, true) as is_start
    from live.news
    window in_time as (partition by is_slow order by printed_us)
),

numbered as (
    select *, sum(is_start::integer) over (order by is_slow, printed_us)::integer as zone
    from apart
),

cores as (
    select
        zone as core,
        any_value(is_slow) as world,
        any_value(reach_us) as reach_us,
        min(printed_us) - any_value(reach_us) as first_us,
        max(printed_us) + any_value(reach_us) as last_us
    from numbered
    group by zone
),

orders as (select is_slow as world, first_us, last_us from live.near_spans)

select
    core as zone,
    world as is_slow,
    first_us,
    last_us,
    -- older news that lies there was folded with what was within its reach, too
    around_from_us - 2 * reach_us as from_us,
    around_to_us + 2 * reach_us as to_us
from stretched('cores', 'orders')
