-- audit.orders_are_unique: a client that stores orders by their id would overwrite one order with
-- another.
-- grain: order_id
-- reads: ledger.orders
select order_id, count(*) as row_count
from ledger.orders
group by order_id
having count(*) > 1
