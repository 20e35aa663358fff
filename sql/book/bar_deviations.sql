-- book.bar_deviations: one standard deviation of net dealer gamma at each node, for each minute and
-- book: sides undecided or misread, and the noise of the volatilities. What the inventory at the
-- open is worth is not in it.
-- grain: minute_at, book_basis, node
-- reads: book.bar_nodes, book.bar_noises, book.bar_states, book.bar_variances
with

nodes as (
    select node_number, node from book.bar_nodes
    union
    select node_number + 1, next_node from book.bar_nodes
),

doubts as (
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
    doubts.minute_at,
    bases.book_basis,
    doubts.node,
    -- open interest alone has no orders to doubt
    sqrt(
        case
            when bases.book_basis = 'oi' or doubts.variance is null then 0
            -- a doubt of less than the unit of the squares is not known to be none
            else greatest(doubts.variance, 0) + square_unit()
        end
        + coalesce(noises.variance, 0)
    ) as deviation_musd
from doubts
cross join bases
left join book.bar_noises as noises using (state_at, book_basis, node_number)
