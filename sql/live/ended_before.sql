-- live.ended_before: the versions that news ended since the state before, as an earlier state
-- published them.
-- grain: order_id, revision_number
-- reads: ledger.placed, live.ended_keys
select placed.*
from ledger.placed as placed
semi join live.ended_keys using (order_id, revision_number)
