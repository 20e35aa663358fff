-- live.ended_legs: the legs of the versions that news ended since the state before.
-- grain: order_id, revision_number, leg_number
-- reads: ledger.legs, live.ended_keys
select legs.*
from ledger.legs as legs
semi join live.ended_keys using (order_id, revision_number)
