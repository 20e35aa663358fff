-- live.wide_zones: stretches of the session in which those of fold.news_zones most likely lie: the
-- orders around the news are not known yet. Those that reach beyond it are taken to do so by half
-- the reach: news, its reach and such an order make a zone, which the same again has to surround.
-- grain: zone
-- reads: fold.news
-- param: reach_slow_us, reach_us
with

apart as (
    select
        world,
        reach_us,
        epoch_us(printed_at) as news_us,
        -- zones that share prints are one
        coalesce(
            epoch_us(printed_at) - lag(epoch_us(printed_at)) over in_time > 6 * reach_us, true
        ) as is_start
    from (
        select
            *,
            case when is_slow then $reach_slow_us::bigint else $reach_us::bigint end as reach_us
        from fold.news
    )
    window in_time as (partition by world order by printed_at)
),

numbered as (
    select *, sum(is_start::integer) over (order by world, news_us)::integer as zone
    from apart
)

select
    zone,
    any_value(world) as world,
    min(news_us) - any_value(reach_us) * 3 // 2 as first_us,
    max(news_us) + any_value(reach_us) * 3 // 2 as last_us,
    min(news_us) - any_value(reach_us) * 3 as from_us,
    max(news_us) + any_value(reach_us) * 3 as to_us
from numbered
group by zone
