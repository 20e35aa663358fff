-- measure.folded_packages: the packages of the fold, right or wrong, with the true orders of all
-- their prints. One that has every print of a true package and no other is exact.
-- grain: order_id
-- reads: fold.order_prints, fold.parent_orders, measure.exact_legs, measure.truth_parents, measure.truth_prints
with

legs as (
    select order_prints.order_id, bool_or(truth_parents.leg_count > 1) as has_true_leg
    from fold.order_prints as order_prints
    left join measure.truth_prints as truth_prints using (sequence)
    left join measure.truth_parents as truth_parents using (parent_id)
    group by order_prints.order_id
)

select
    orders.order_id,
    orders.contracts,
    orders.confidence,
    coalesce(legs.has_true_leg, false) as has_true_leg,
    coalesce(truth_parents.leg_count > 1, false) as is_exact
from fold.parent_orders as orders
inner join legs using (order_id)
left join measure.exact_legs as exact using (order_id)
left join measure.truth_parents as truth_parents using (parent_id)
where orders.leg_count > 1
