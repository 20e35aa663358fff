-- Ranges of a session that late data may have changed: a core of `cores_table` (core,
-- partition_number, window_us, first_us, last_us) with the orders that it touches, and around it
-- the orders that overlap these, which must be folded as they were, too. Only orders of
-- `orders_table` (partition_number, first_us, last_us) in the partition of the core count.
create or replace macro stretched(cores_table, orders_table) as table
with

touched as (
    select
        cores.core,
        cores.partition_number,
        any_value(cores.window_us) as window_us,
        least(any_value(cores.first_us), min(orders.first_us)) as first_us,
        greatest(any_value(cores.last_us), max(orders.last_us)) as last_us
    from query_table(cores_table) as cores
    left join query_table(orders_table) as orders
        on orders.partition_number = cores.partition_number
        and orders.first_us <= cores.last_us
        and orders.last_us >= cores.first_us
    group by cores.core, cores.partition_number
)

select
    touched.core,
    touched.partition_number,
    any_value(touched.window_us) as window_us,
    any_value(touched.first_us) as first_us,
    any_value(touched.last_us) as last_us,
    least(any_value(touched.first_us), min(orders.first_us)) as around_from_us,
    greatest(any_value(touched.last_us), max(orders.last_us)) as around_to_us
from touched
left join query_table(orders_table) as orders
    on orders.partition_number = touched.partition_number
    and orders.first_us <= touched.last_us
    and orders.last_us >= touched.first_us
group by touched.core, touched.partition_number
