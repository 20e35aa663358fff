-- book.scan_weights: weights of the nodes of the wide bells at each step, in the order of the
-- nodes: their Lagrange polynomials there, in the closed form they have on Chebyshev nodes.
-- grain: width_class, step
-- reads: book.scan_nodes
with

steps as (
    select
        unnest(range(-scan_steps(), scan_steps() + 1))::integer as step,
        step / (scan_steps() + 1)::double as x,
),

weights as (
    select
        nodes.width_class,
        nodes.node,
        steps.step,
        case
            when steps.x = nodes.cosine then 1.0::double
            else
                case when nodes.node % 2 = 0 then 1.0::double else -1.0::double end
                * sin(acos(nodes.cosine)) * cos(nodes.node_count * acos(steps.x))
                / (nodes.node_count * (steps.x - nodes.cosine))
        end as weight
    from book.scan_nodes as nodes
    cross join steps
    where nodes.width_class <> 'narrow'
)

select
    width_class,
    step,
    list(weight order by node) as weights
from weights
group by width_class, step
