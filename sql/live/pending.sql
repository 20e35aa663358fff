-- live.pending: the versions of orders that a later state will know or see superseded.
-- grain: edition_id
-- reads: live.pending_versions, live.step
select pending.*
from live.pending_versions as pending
cross join live.step as step
where pending.visible_at >= step.current_state_at or pending.superseded_at >= step.current_state_at
