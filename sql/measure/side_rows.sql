-- measure.side_rows: the orders of one session whose sides are compared with the truth.
-- grain: seed, order_id
-- reads: measure.side_orders
-- param: seed
select
    $seed::integer as seed,
    *
from measure.side_orders
