-- live.pending: the versions of orders that a later state will know, or know better.
-- grain: edition_id
-- reads: live.pending_now, live.step
select pending.*
from live.pending_now as pending
cross join live.step as step
where pending.visible_at >= step.tells_at or pending.superseded_at >= step.tells_at
