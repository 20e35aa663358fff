-- book.scan_nodes: the index steps, counted from the spot, at which the book is evaluated. A
-- strike's gamma is a bell over the index, sigma * sqrt(T) * spot wide. Bells narrower than 30
-- steps are evaluated at every step, in blocks of 20. Wider ones are interpolated through Chebyshev
-- nodes, so many for each width that the error stays under 1e-9 of the peak: 104 from 30 steps, 44
-- from 60, 22 from 150, 14 from 360.
-- grain: width_class, node
-- reads:
with

classes as (
    select *
    from (values ('close', 104), ('middle', 44), ('wide', 22), ('far', 14))
        as classes(width_class, node_count)
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
union all
select
    'narrow',
    unnest(range(20))::integer as node,
    null,
    null,
    node,
