-- live.new_versions: the versions of orders that the newest state is the first to know.
-- grain: edition_id
-- reads: live.pending_versions, live.step
select pending.*
from live.pending_versions as pending
cross join live.step as step
where pending.visible_at >= step.since_at and pending.visible_at < step.until_at
