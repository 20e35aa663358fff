-- book.flow_changes: what the orders that count from the same state on add to the customers' flow, and
-- what those that no longer count take from it. A version counts as it was known, until the state
-- that knows better takes it back.
-- grain: part, span, flow_class, counts_from
-- reads: book.edition_flows, fold.editions
with

versions as (
    select flows.*, editions.visible_at as usable_at, 1 as weight
    from book.edition_flows as flows
    inner join fold.editions as editions using (edition_id)
    union all
    select flows.*, editions.superseded_at, -1
    from book.edition_flows as flows
    inner join fold.editions as editions using (edition_id)
    where editions.superseded_at is not null
)

from flow_changes(versions)
