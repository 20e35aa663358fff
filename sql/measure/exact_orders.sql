-- measure.exact_orders: orders that hold exactly the prints of one true order, both readings.
-- `naming` is 'right'; 'flip' when the name is that of the same legs with all signs turned; and
-- 'ambiguous' when prices allow the true name as well as the given one; else 'wrong'.
-- `possible_names` are all that the prices of the order allow, bought or sold.
-- grain: order_id
-- reads: fold.order_totals, fold.parent_orders, fold.possible_patterns, measure.exact_legs, measure.truth_parents
with

-- names that the prints of an order allow, seen from either side of the trade
names as (
    select
        totals.order_id,
        patterns.pattern,
        [patterns.structure, patterns.structure_when_sold] as names
    from fold.possible_patterns as patterns
    inner join fold.order_totals as totals using (parent_id)
),

namings as (
    select
        exact.order_id,
        coalesce(bool_or(parents.structure in names.names), false) as is_possible_name,
        coalesce(bool_or(
            parents.structure in names.names and orders.structure in names.names
        ), false) as is_name_or_flip,
        list_sort(list_distinct(flatten(list(names.names)))) as possible_names
    from measure.exact_legs as exact
    inner join measure.truth_parents as parents using (parent_id)
    inner join fold.parent_orders as orders using (order_id)
    left join names using (order_id)
    group by exact.order_id
)

select
    exact.order_id,
    exact.parent_id,
    parents.leg_count > 1 as is_package,
    parents.structure as true_structure,
    orders.structure,
    case
        when orders.structure = parents.structure then 'right'
        when namings.is_name_or_flip then 'flip'
        when namings.is_possible_name then 'ambiguous'
        else 'wrong'
    end as naming,
    namings.possible_names,
    orders.sign,
    parents.customer_sign as true_sign,
    exact.is_decided,
    exact.is_right
from measure.exact_legs as exact
inner join measure.truth_parents as parents using (parent_id)
inner join fold.parent_orders as orders using (order_id)
inner join namings using (order_id)
where parents.contracts >= 50
