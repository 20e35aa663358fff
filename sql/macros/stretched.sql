-- The stretches of a session that news may have changed: a core of `cores_table` (core, world,
-- reach_us, first_us, last_us) with the orders that it touches, and around it the orders that these
-- lie among, which have to be folded as they were, too. Orders of `orders_table` (world, first_us,
-- last_us) are of the same world as the core.
create or replace macro stretched(cores_table, orders_table) as table
with

touched as (
    select
        cores.core,
        cores.world,
        any_value(cores.reach_us) as reach_us,
        least(any_value(cores.first_us), min(orders.first_us)) as first_us,
        greatest(any_value(cores.last_us), max(orders.last_us)) as last_us
    from query_table(cores_table) as cores
    left join query_table(orders_table) as orders
        on orders.world = cores.world
        and orders.first_us <= cores.last_us
        and orders.last_us >= cores.first_us
    group by cores.core, cores.world
)

select
    touched.core,
    touched.world,
    any_value(touched.reach_us) as reach_us,
    any_value(touched.first_us) as first_us,
    any_value(touched.last_us) as last_us,
    least(any_value(touched.first_us), min(orders.first_us)) as around_from_us,
    greatest(any_value(touched.last_us), max(orders.last_us)) as around_to_us
from touched
left join query_table(orders_table) as orders
    on orders.world = touched.world
    and orders.first_us <= touched.last_us
    and orders.last_us >= touched.first_us
group by touched.core, touched.world
