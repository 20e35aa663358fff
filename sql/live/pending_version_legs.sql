-- live.pending_version_legs: the legs of live.pending_versions.
-- grain: edition_id, leg_number
-- reads: live.pending_legs, live.pending_versions, live.refolded_legs, live.replaced
select pending.*
from live.pending_legs as pending
anti join live.replaced using (edition_id)
union all
select refolded.*
from live.refolded_legs as refolded
semi join live.pending_versions using (edition_id)
