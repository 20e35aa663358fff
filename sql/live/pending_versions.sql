-- live.pending_versions: the versions of orders that no state before the newest ones knows, or that
-- one of these sees superseded.
-- grain: edition_id
-- reads: live.pending, live.refolded, live.replaced, live.step
select pending.*
from live.pending as pending
anti join live.replaced using (edition_id)
union all
select refolded.*
from live.refolded as refolded
cross join live.step as step
where refolded.visible_at >= step.previous_state_at
    or refolded.superseded_at >= step.previous_state_at
