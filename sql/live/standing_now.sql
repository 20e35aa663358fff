-- live.standing_now: the orders that the newest state is the first to know, as they stand then.
-- grain: order_id, revision_number
-- reads: live.placed_now
select * exclude (superseded_at, superseded_by, edition_id)
from live.placed_now
