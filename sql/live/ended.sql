-- live.ended: the versions that news ended since the state before, as they were published.
-- grain: order_id, revision_number
-- reads: ledger.placed, live.pending_now, live.step
with

ended as (
    select
        pending.order_id,
        pending.revision_number,
        pending.superseded_at,
        pending.superseded_by
    from live.pending_now as pending
    cross join live.step as step
    where pending.superseded_at >= step.since_at and pending.superseded_at < step.until_at
),

-- few of many: the others need not be looked at whole
touched as (
    select * from ledger.placed semi join ended using (order_id, revision_number)
)

select touched.* replace (
    ended.superseded_at as superseded_at, ended.superseded_by as superseded_by
)
from touched
inner join ended using (order_id, revision_number)
