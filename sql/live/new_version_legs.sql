-- live.new_version_legs: the legs of the versions that the newest state is the first to know.
-- grain: edition_id, leg_number
-- reads: live.new_versions, live.pending_version_legs
select legs.*
from live.pending_version_legs as legs
semi join live.new_versions using (edition_id)
