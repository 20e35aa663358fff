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
        zone,
        any_value(is_slow) as is_slow,
        any_value(reach_us) as reach_us,
        min(printed_us) - any_value(reach_us) as first_us,
        max(printed_us) + any_value(reach_us) as last_us
    from numbered
    group by zone
),

touched as (
    select
        cores.zone,
        any_value(cores.is_slow) as is_slow,
        any_value(cores.reach_us) as reach_us,
        least(any_value(cores.first_us), min(orders.first_us)) as first_us,
        greatest(any_value(cores.last_us), max(orders.last_us)) as last_us
    from cores
    left join live.near_spans as orders
        on orders.is_slow = cores.is_slow
        and orders.first_us <= cores.last_us
        and orders.last_us >= cores.first_us
    group by cores.zone
),

ranges as (
    select
        touched.zone,
        any_value(touched.is_slow) as is_slow,
        any_value(touched.reach_us) as reach_us,
        any_value(touched.first_us) as first_us,
        any_value(touched.last_us) as last_us,
        least(any_value(touched.first_us), min(orders.first_us)) as around_from_us,
        greatest(any_value(touched.last_us), max(orders.last_us)) as around_to_us
    from touched
    left join live.near_spans as orders
        on orders.is_slow = touched.is_slow
        and orders.first_us <= touched.last_us
        and orders.last_us >= touched.first_us
    group by touched.zone
)

select
    zone,
    is_slow,
    first_us,
    last_us,
    -- older news that lies there was folded with what was within its reach, too
    around_from_us - 2 * reach_us as from_us,
    around_to_us + 2 * reach_us as to_us
from ranges
