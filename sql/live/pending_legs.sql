-- live.pending_legs: the legs of live.pending.
-- grain: edition_id, leg_number
-- reads: live.pending, live.pending_version_legs
select legs.*
from live.pending_version_legs as legs
semi join live.pending using (edition_id)
