-- live.known_legs: the legs of the versions that the newest state is the first to know.
-- grain: edition_id, leg_number
-- reads: live.known_now, live.pending_legs_now
select legs.*
from live.pending_legs_now as legs
semi join live.known_now using (edition_id)
