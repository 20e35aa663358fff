-- live.ended_legs: the legs of the versions that were superseded since the previous state.
-- grain: order_id, revision_number, leg_number
-- reads: ledger.legs, live.ended_keys
-- param: from_us
select legs.* exclude (visible_at)
from ledger.legs as legs
semi join live.ended_keys using (order_id, revision_number)
-- earlier rows are skipped at once
where legs.visible_at >= make_timestamp($from_us::bigint)
