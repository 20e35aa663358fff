-- accuracy.side_orders: orders that hold exactly the prints of one true order, with what the fold
-- says of their side and which side it was: 1 bought, 0 sold, one half where there was no one
-- customer (a cross) or where the legs were put together the wrong way round.
-- grain: order_id
-- reads: accuracy.truth_legs, accuracy.truth_parents, accuracy.truth_prints, fold.legs, fold.order_prints, fold.order_totals, fold.parent_orders, fold.side_evidence
with

cells as (
    select prints.parent_id, order_prints.order_id, count(*) as items
    from accuracy.truth_prints as prints
    inner join fold.order_prints as order_prints using (sequence)
    group by all
),

exact as (
    select parent_id, order_id
    from cells
    qualify items = sum(items) over (partition by parent_id)
        and items = sum(items) over (partition by order_id)
),

agreeing_legs as (
    select
        exact.order_id,
        coalesce(bool_and(legs.package_sign = truth_legs.customer_sign), false) as is_bought,
        coalesce(bool_and(legs.package_sign = -truth_legs.customer_sign), false) as is_sold
    from exact
    inner join fold.legs as legs using (order_id)
    left join accuracy.truth_legs as truth_legs
        on truth_legs.parent_id = exact.parent_id
        and truth_legs.root = legs.root
        and truth_legs.expiry = legs.expiry
        and truth_legs.strike = legs.strike
        and truth_legs.option_type = legs.option_type
    group by exact.order_id
)

select
    exact.order_id,
    orders.leg_count > 1 as is_package,
    orders.contracts,
    orders.sign,
    orders.side_probability,
    orders.side_reason,
    evidence.evidence,
    evidence.place,
    evidence.leaning,
    case
        when parents.customer_sign = 0 then 0.5
        when agreeing_legs.is_bought then 1
        when agreeing_legs.is_sold then 0
        else 0.5
    end as bought
from exact
inner join accuracy.truth_parents as parents using (parent_id)
inner join agreeing_legs using (order_id)
inner join fold.parent_orders as orders using (order_id)
inner join fold.order_totals as totals using (order_id)
left join fold.side_evidence as evidence on evidence.parent_id = totals.parent_id
