-- live.known_now: the versions of orders that the newest state is the first to know.
-- grain: edition_id
-- reads: live.pending_now, live.step
select pending.*
from live.pending_now as pending
cross join live.step as step
where pending.visible_at >= step.since_at and pending.visible_at < step.until_at
