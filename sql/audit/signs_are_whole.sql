-- audit.signs_are_whole: half an oriented package would move the dealer book by legs nobody is
-- known to hold.
-- grain: order_id
-- reads: ledger.legs, ledger.orders
select distinct orders.order_id
from ledger.orders as orders
inner join ledger.legs as legs using (order_id)
where
    orders.sign not in (-1, 0, 1)
    or legs.customer_sign not in (-1, 0, 1)
    or (legs.customer_sign = 0) <> (orders.sign = 0)
