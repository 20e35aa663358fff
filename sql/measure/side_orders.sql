-- measure.side_orders: orders that hold exactly the prints of one true order, with the fold's side
-- and the true one: 1 bought, 0 sold, one half where there was no one customer (a cross) or where
-- the legs were put together the wrong way round.
-- grain: order_id
-- reads: fold.order_totals, fold.parent_orders, fold.side_evidence, measure.exact_legs, measure.truth_parents
select
    exact.order_id,
    orders.leg_count > 1 as is_package,
    orders.contracts,
    orders.sign,
    orders.side_probability,
    orders.side_reason,
    evidence.evidence,
    evidence.price_position as place,
    evidence.leaning,
    case
        when parents.customer_sign = 0 then 0.5
        when exact.is_bought then 1
        when exact.is_sold then 0
        else 0.5
    end as bought
from measure.exact_legs as exact
inner join measure.truth_parents as parents using (parent_id)
inner join fold.parent_orders as orders using (order_id)
inner join fold.order_totals as totals using (order_id)
left join fold.side_evidence as evidence on evidence.parent_id = totals.parent_id
