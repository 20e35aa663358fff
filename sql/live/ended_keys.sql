-- live.ended_keys: keys of the versions that were superseded since the previous state, with the
-- cause.
-- grain: order_id, revision_number
-- reads: live.pending_versions, live.step
select
    pending.order_id,
    pending.revision_number,
    pending.visible_at,
    pending.superseded_at,
    pending.superseded_by
from live.pending_versions as pending
cross join live.step as step
where pending.superseded_at >= step.since_at and pending.superseded_at < step.until_at
