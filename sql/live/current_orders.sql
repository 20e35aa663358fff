-- live.current_orders: the orders that the newest state is the first to know, in their current
-- version.
-- grain: order_id, revision_number
-- reads: live.new_orders
select * exclude (superseded_at, superseded_by, edition_id)
from live.new_orders
