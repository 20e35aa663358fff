-- book.scan_nodes: the index steps, counted from the spot, at which the book is evaluated. A
-- strike's gamma is a bell over the index, sigma * sqrt(T) * spot wide. Bells narrower than 30
-- steps are evaluated at every step of their support. Wider ones are interpolated through Chebyshev
-- nodes, enough for each width that the error stays under 1e-9 of the peak: 108 from 30 steps, 48
-- from 60, 24 from 150, 12 from 480. One pass evaluates a block of 12 nodes.
-- grain: width_class, node
-- reads:
with

classes as (
    select *
    from (values ('close', 108), ('middle', 48), ('wide', 24), ('far', 12))
        as classes(width_class, node_count)
),

nodes as (
    select
        width_class,
        node_count,
        unnest(range(node_count))::integer as node,
        cos(pi() * (node + 0.5::double) / node_count) as cosine
    from classes
    union all
    select 'narrow', null, unnest(range(2 * scan_steps() + 1)), null
)

select
    width_class,
    node,
    node_count,
    cosine,
    -- Chebyshev's go one step wider than the scan: its middle is the spot rounded to a step
    coalesce(cosine * (scan_steps() + 1), node - scan_steps()) as step,
    node // 12 as block,
    node % 12 as slot
from nodes
