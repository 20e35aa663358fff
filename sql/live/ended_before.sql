-- live.ended_before: the versions that news ended since the state before, as an earlier state
-- published them.
-- grain: order_id, revision_number
-- reads: ledger.placed, live.ended_keys
-- param: from_us
select placed.*
from ledger.placed as placed
semi join live.ended_keys using (order_id, revision_number)
-- those before are not looked at one by one
where placed.visible_at >= make_timestamp($from_us::bigint)
