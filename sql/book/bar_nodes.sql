-- book.bar_nodes: the steps of the scan, counted from the spot, at which deviations are priced:
-- dense near the spot. Between two nodes a deviation is linear: each step has its two nodes and the
-- share of the upper one.
-- grain: step
-- reads:
with

offsets as (
    select unnest([0, 5, 10, 15, 20, 30, 40, 55, 70, 90, 120, 160, 220, 300]) as distance
),

nodes as (
    select distinct unnest([-distance, distance])::integer as node
    from offsets
),

pairs as (
    select
        node,
        lead(node) over (order by node) as next_node,
        row_number() over (order by node) - 1 as node_number
    from nodes
),

steps as (select unnest(range(-scan_steps(), scan_steps() + 1))::integer as step)

select
    steps.step,
    pairs.node,
    pairs.next_node,
    pairs.node_number,
    (steps.step - pairs.node) / (pairs.next_node - pairs.node)::double as next_share
from steps
inner join pairs
    on steps.step >= pairs.node
    and (
        steps.step < pairs.next_node
        or (steps.step = scan_steps() and pairs.next_node = scan_steps())
    )
where pairs.next_node is not null
