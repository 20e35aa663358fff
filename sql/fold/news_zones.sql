-- fold.news_zones: stretches of the session whose orders news may have changed. Nothing that prints
-- farther than the reach from the last print of an order changes it, so a zone holds the news, the
-- orders within its reach, and the orders that these lie among; to fold them as they were takes the
-- prints of the zone and of its reach on both sides. Zones that share prints are one.
-- grain: zone
-- reads: fold.legs, fold.news, fold.parent_orders, tape.conditions
-- param: reach_slow_us, reach_us
with

orders as (
    select
        news_world(
            orders.print_class,
            coalesce(conditions.is_multi_leg, false),
            orders.condition,
            legs.root,
            legs.expiry,
            legs.strike,
            legs.option_type
        ) as world,
        epoch_us(orders.printed_at) as first_us,
        epoch_us(orders.last_printed_at) as last_us
    from fold.parent_orders as orders
    inner join fold.legs as legs on legs.order_id = orders.order_id and legs.leg_number = 1
    left join tape.conditions as conditions on conditions.letter = orders.condition
    where is_on_tape(orders.first_sequence) and world in (select world from fold.news)
),

news as (
    select
        row_number() over (order by printed_at, sequence, news) as core,
        world,
        epoch_us(printed_at) as news_us,
        case when is_slow then $reach_slow_us::bigint else $reach_us::bigint end as reach_us
    from fold.news
),

cores as (
    select
        core,
        world,
        reach_us,
        news_us - reach_us as first_us,
        news_us + reach_us as last_us
    from news
),

ranges as (
    select
        core,
        world,
        first_us,
        last_us,
        around_from_us - reach_us as from_us,
        around_to_us + reach_us as to_us
    from stretched('cores', 'orders')
),

apart as (
    select
        *,
        coalesce(
            from_us > max(to_us) over (
                partition by world
                order by from_us, core
                rows between unbounded preceding and 1 preceding
            ),
            true
        ) as is_start
    from ranges
),

numbered as (
    select *, sum(is_start::integer) over (order by world, from_us, core)::integer as zone
    from apart
)

select
    zone,
    any_value(world) as world,
    min(first_us) as first_us,
    max(last_us) as last_us,
    min(from_us) as from_us,
    max(to_us) as to_us
from numbered
group by zone
