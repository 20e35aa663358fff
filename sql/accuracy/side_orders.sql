-- accuracy.side_orders: orders that hold exactly the prints of one true order, with what the fold
-- says of their side and which side it was: 1 bought, 0 sold, one half where there was no one
-- customer (a cross) or where the legs were put together the wrong way round.
-- grain: order_id
-- reads: accuracy.exact_legs, accuracy.truth_parents, fold.order_totals, fold.parent_orders, fold.side_evidence
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
        when exact.is_bought then 1
        when exact.is_sold then 0
        else 0.5
    end as bought
from accuracy.exact_legs as exact
inner join accuracy.truth_parents as parents using (parent_id)
inner join fold.parent_orders as orders using (order_id)
inner join fold.order_totals as totals using (order_id)
left join fold.side_evidence as evidence on evidence.parent_id = totals.parent_id
