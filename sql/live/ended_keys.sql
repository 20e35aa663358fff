-- live.ended_keys: the versions that news ended since the state before, and what took their place.
-- grain: order_id, revision_number
-- reads: live.pending_now, live.step
select
    pending.order_id,
    pending.revision_number,
    pending.visible_at,
    pending.superseded_at,
    pending.superseded_by
from live.pending_now as pending
cross join live.step as step
where pending.superseded_at >= step.since_at and pending.superseded_at < step.until_at
