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

cores as (
    select
        row_number() over (order by sequence, news) as core,
        world,
        epoch_us(printed_at) as news_us,
        case when is_slow then $reach_slow_us::bigint else $reach_us::bigint end as reach_us
    from fold.news
),

touched as (
    select
        cores.core,
        cores.world,
        any_value(cores.reach_us) as reach_us,
        least(any_value(cores.news_us - cores.reach_us), min(orders.first_us)) as first_us,
        greatest(any_value(cores.news_us + cores.reach_us), max(orders.last_us)) as last_us
    from cores
    left join orders
        on orders.world = cores.world
        and orders.first_us <= cores.news_us + cores.reach_us
        and orders.last_us >= cores.news_us - cores.reach_us
    group by cores.core, cores.world
),

-- the same once more: what the touched orders lie among has to be folded as it was, too
ranges as (
    select
        touched.core,
        touched.world,
        any_value(touched.first_us) as first_us,
        any_value(touched.last_us) as last_us,
        least(any_value(touched.first_us), min(orders.first_us)) - any_value(touched.reach_us)
            as from_us,
        greatest(any_value(touched.last_us), max(orders.last_us)) + any_value(touched.reach_us)
            as to_us
    from touched
    left join orders
        on orders.world = touched.world
        and orders.first_us <= touched.last_us
        and orders.last_us >= touched.first_us
    group by touched.core, touched.world
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
