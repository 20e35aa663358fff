-- book.bar_deviations: one standard deviation of net dealer gamma at each node, for each minute,
-- book and bucket of expiries: undecided or misread sides, what orders share of that, the noise of the
-- volatilities and, in the book 'measured', what
-- is not known of the inventory at the open; guess_variance is the part of that which rests on open
-- interest alone. The convention, book 'oi', has no deviation.
-- grain: minute_at, book_basis, bucket, node
-- reads: book.bar_nodes, book.bar_noises, book.bar_states, book.bar_variances, book.inventory_variances, book.shared_variances
with

cells as (from book.bar_nodes),

nodes as (select * from bar_nodes_of(cells)),

buckets as (select unnest(['all', '0dte', 'next']) as bucket),

variance_sums as (
    select
        states.minute_at,
        states.state_at,
        buckets.bucket,
        nodes.node,
        nodes.node_number,
        exact_square_sum(variances.variance) as variance
    from book.bar_states as states
    cross join nodes
    cross join buckets
    -- all since the pricing
    left join book.bar_variances as variances
        on variances.state_at = states.state_at
        and variances.bucket = buckets.bucket
        and variances.node_number = nodes.node_number
        and variances.minute_at <= states.minute_at
    group by all
),

bases as (select unnest(['measured', 'vol']) as book_basis),

parts as (
    select
        variance_sums.minute_at,
        bases.book_basis,
        variance_sums.bucket,
        variance_sums.node,
        -- a variance below the unit of the squares is not known to be zero
        case
            when variance_sums.variance is null then 0
            else greatest(variance_sums.variance, 0) + square_unit()
        end as side_variance,
        coalesce(shared.variance, 0) as shared_variance,
        coalesce(noises.variance, 0) as noise_variance,
        case when bases.book_basis = 'measured' then coalesce(inventory.guess_variance, 0) else 0 end
            as guess_variance,
        case when bases.book_basis = 'measured' then coalesce(inventory.carried_variance, 0) else 0 end
            as carried_variance
    from variance_sums
    cross join bases
    left join book.shared_variances as shared using (state_at, book_basis, bucket, node_number)
    left join book.bar_noises as noises using (state_at, book_basis, bucket, node_number)
    left join book.inventory_variances as inventory using (state_at, bucket, node_number)
)

select
    minute_at,
    book_basis,
    bucket,
    node,
    sqrt(
        side_variance + shared_variance + noise_variance + guess_variance + carried_variance
    ) as deviation_musd,
    guess_variance
from parts
