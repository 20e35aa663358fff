-- live.ended_before: the versions that were superseded since the previous state, as an earlier
-- state published them.
-- grain: order_id, revision_number
-- reads: ledger.order_versions, live.ended_keys
-- param: from_us
select placed.*
from ledger.order_versions as placed
semi join live.ended_keys using (order_id, revision_number)
-- earlier rows are skipped at once
where placed.visible_at >= make_timestamp($from_us::bigint)
