-- accuracy.exact_orders: orders that hold exactly the prints of one true order, both readings.
-- `naming` is 'right'; 'flip' when the name is that of the same legs with all signs turned; and
-- 'ambiguous' when prices allow the true name as well as the given one; else 'wrong'.
-- `possible_names` are all that the prices of the order allow, bought or sold.
-- grain: order_id
-- reads: accuracy.truth_legs, accuracy.truth_parents, accuracy.truth_prints, fold.legs, fold.order_prints, fold.order_totals, fold.parent_orders, fold.possible_patterns
with

cells as (
    select prints.parent_id, order_prints.order_id, count(*) as items
    from accuracy.truth_prints as prints
    inner join fold.order_prints as order_prints using (sequence)
    group by all
),

exact as (
    select
        parent_id,
        order_id,
        sum(items) over (partition by parent_id) as truth_items,
        sum(items) over (partition by order_id) as order_items,
        items
    from cells
    qualify items = truth_items and items = order_items
),

agreeing_legs as (
    select
        exact.order_id,
        bool_and(legs.customer_sign = truth_legs.customer_sign) as is_right,
        bool_or(legs.customer_sign <> 0) as is_decided
    from exact
    inner join fold.legs as legs using (order_id)
    left join accuracy.truth_legs as truth_legs
        on truth_legs.parent_id = exact.parent_id
        and truth_legs.root = legs.root
        and truth_legs.expiry = legs.expiry
        and truth_legs.strike = legs.strike
        and truth_legs.option_type = legs.option_type
    group by exact.order_id
),

-- what the prints of an order allow it to be called, seen from either side of the trade
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
    from exact
    inner join accuracy.truth_parents as parents using (parent_id)
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
    agreeing_legs.is_decided,
    agreeing_legs.is_right
from exact
inner join accuracy.truth_parents as parents using (parent_id)
inner join fold.parent_orders as orders using (order_id)
inner join agreeing_legs using (order_id)
inner join namings using (order_id)
where parents.contracts >= 50
