-- book.bar_deviations: one standard deviation of net dealer gamma at each node, for each minute and
-- book: sides undecided or misread, and the noise of the volatilities. What the inventory at the
-- open is worth is not in it.
-- grain: minute_at, book_basis, node
-- reads: book.bar_nodes, book.bar_noises, book.bar_states, book.bar_variances
with

nodes as (
    select node from book.bar_nodes
    union
    select next_node from book.bar_nodes
),

doubts as (
    select
        states.minute_at,
        states.state_at,
        nodes.node,
        sum(round(variances.variance * 1e6)::bigint) over (
            partition by states.state_at, nodes.node order by states.minute_at
            rows unbounded preceding
        )::double / 1e6 as variance,
    from book.bar_states as states
    cross join nodes
    left join book.bar_variances as variances using (state_at, minute_at, node)
),

bases as (
    select
        doubts.minute_at,
        doubts.node,
        unnest([
            {
                'book_basis': 'measured',
                'variance': coalesce(doubts.variance, 0) + coalesce(noises.measured_variance, 0)
            },
            {
                'book_basis': 'vol',
                'variance': coalesce(doubts.variance, 0) + coalesce(noises.vol_variance, 0)
            },
            {'book_basis': 'oi', 'variance': coalesce(noises.oi_variance, 0)}
        ], recursive := true),
    from doubts
    left join book.bar_noises as noises using (state_at, node)
)

select minute_at, book_basis, node, sqrt(variance) as deviation_musd
from bases
