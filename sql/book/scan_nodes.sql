-- book.scan_nodes: where the smooth part of the book is evaluated, and the weights that carry it
-- to every step of the scan.
-- A strike's gamma is a bell over the index, sigma * sqrt(T) * spot wide. Bells narrower than 40 steps
-- are evaluated at every step. Wider ones are interpolated through Chebyshev nodes, so many for each
-- width that the error stays under 1e-9 of the peak: 72 from 40 steps, 28 from 120, 14 from 360.
-- grain: width_class, node
-- reads:
with

classes as (
    select * from (values ('middle', 72), ('wide', 28), ('far', 14)) as classes(width_class, node_count)
),

nodes as (
    select
        width_class,
        node_count,
        unnest(range(node_count))::integer as node,
        cos(pi() * (node + 0.5::double) / node_count) as cosine,
    from classes
)

select
    width_class,
    node,
    node_count,
    cosine,
    -- one step wider than the scan: its middle is the spot rounded to a step
    cosine * (scan_steps() + 1) as step,
from nodes
