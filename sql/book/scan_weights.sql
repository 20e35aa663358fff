-- book.scan_weights: what each node adds at each step of the scan (Chebyshev interpolation).
-- grain: width_class, node, step
-- reads: book.scan_nodes
with

steps as (
    select
        unnest(range(-scan_steps(), scan_steps() + 1))::integer as step,
        acos(step / (scan_steps() + 1)::double) as angle,
),

orders as (
    select
        width_class,
        node,
        node_count,
        acos(cosine) as node_angle,
        unnest(range(node_count))::integer as polynomial,
    from book.scan_nodes
)

select
    orders.width_class,
    orders.node,
    steps.step,
    exact_sum(
        case when polynomial = 0 then 1.0::double else 2.0::double end / node_count
        * cos(polynomial * node_angle) * cos(polynomial * angle)
    ) as weight,
from orders
cross join steps
group by orders.width_class, orders.node, steps.step
