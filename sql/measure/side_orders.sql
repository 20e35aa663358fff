-- measure.side_orders: orders that hold exactly the prints of one true order, with the fold's side
-- and the true one: 1 bought, 0 sold, one half where there was no one customer (a cross) or where
-- the legs were put together the wrong way round. Next to it the sides of other rules: the quote rule,
-- and the stack of Grauer, Schuster and Uhrig-Homburg (size, then quote, then depth; its last step
-- looks at later trades); 0 where a rule says nothing.
-- grain: order_id
-- reads: fold.order_totals, fold.parent_orders, fold.print_sides, fold.side_evidence, measure.exact_legs, measure.truth_parents
with

depths as (
    select
        parent_id,
        arg_min(sign(ask_size - bid_size), print_number) as depth_sign
    from fold.print_sides
    where z is not null
    group by parent_id
)

select
    exact.order_id,
    orders.leg_count > 1 as is_package,
    orders.contracts,
    orders.sign,
    orders.side_probability,
    orders.side_reason,
    case
        when parents.customer_sign = 0 then 0.5
        when exact.is_bought then 1
        when exact.is_sold then 0
        else 0.5
    end as bought,
    coalesce(sign(evidence.read_z), 0)::integer as quote_sign,
    case
        when evidence.size_class = 'equal' then -quote_sign
        when quote_sign <> 0 then quote_sign
        else coalesce(depths.depth_sign, 0)
    end::integer as stack_sign
from measure.exact_legs as exact
inner join measure.truth_parents as parents using (parent_id)
inner join fold.parent_orders as orders using (order_id)
inner join fold.order_totals as totals using (order_id)
left join fold.side_evidence as evidence on evidence.parent_id = totals.parent_id
left join depths on depths.parent_id = totals.parent_id
