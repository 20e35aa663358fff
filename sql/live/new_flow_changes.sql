-- live.new_flow_changes: what the orders that the newest states are the first to know add to the
-- customers' flow, and what the versions superseded since the previous state take from it.
-- grain: part, span, flow_class, counts_from
-- reads: live.edition_flows, live.new_edition_flows, live.new_versions, live.pending_versions, live.step
with

ended_versions as (
    select pending.order_id, pending.revision_number, pending.superseded_at
    from live.pending_versions as pending
    cross join live.step as step
    where pending.superseded_at >= step.since_at and pending.superseded_at < step.until_at
),

-- a version may begin and end within the step
ended_flows as (
    select * from live.edition_flows
    union all
    select * from live.new_edition_flows
),

versions as (
    select flows.*, versions.visible_at as usable_at, 1 as weight
    from live.new_edition_flows as flows
    inner join live.new_versions as versions using (edition_id)
    union all
    select flows.*, ended.superseded_at, -1
    from ended_flows as flows
    inner join ended_versions as ended using (order_id, revision_number)
)

from flow_changes(versions)
