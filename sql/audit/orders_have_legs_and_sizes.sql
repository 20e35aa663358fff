-- audit.orders_have_legs_and_sizes: an order without a leg, or of no size, is not an order.
-- grain: order_id
-- reads: ledger.legs, ledger.orders
select orders.order_id
from ledger.orders as orders
left join ledger.legs as legs using (order_id)
group by orders.order_id, orders.size, orders.leg_count, orders.contracts
having
    orders.size <= 0
    or count(legs.leg_number) <> orders.leg_count
    or sum(legs.contracts) is distinct from orders.contracts
    or bool_or(legs.contracts <> legs.ratio * orders.size)
