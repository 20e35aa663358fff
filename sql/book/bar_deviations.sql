-- book.bar_deviations: one standard deviation of net dealer gamma at each node, for each minute and
-- book: undecided or misread sides, and the noise of the volatilities. The uncertainty of the
-- inventory at the open is not included.
-- grain: minute_at, book_basis, node
-- reads: book.bar_nodes, book.bar_noises, book.bar_states, book.bar_variances
with

nodes as (
    select node_number, node from book.bar_nodes
    union
    select node_number + 1, next_node from book.bar_nodes
),

variance_sums as (
    select
        states.minute_at,
        states.state_at,
        nodes.node,
        nodes.node_number,
        exact_square_sum(variances.variance) as variance
    from book.bar_states as states
    cross join nodes
    -- all since the pricing
    left join book.bar_variances as variances
        on variances.state_at = states.state_at
        and variances.node_number = nodes.node_number
        and variances.minute_at <= states.minute_at
    group by all
),

bases as (select unnest(['measured', 'vol', 'oi']) as book_basis)

select
    variance_sums.minute_at,
    bases.book_basis,
    variance_sums.node,
    -- open interest alone has no orders that could be misread
    sqrt(
        case
            when bases.book_basis = 'oi' or variance_sums.variance is null then 0
            -- a variance below the unit of the squares is not known to be zero
            else greatest(variance_sums.variance, 0) + square_unit()
        end
        + coalesce(noises.variance, 0)
    ) as deviation_musd
from variance_sums
cross join bases
left join book.bar_noises as noises using (state_at, book_basis, node_number)
