-- book.bar_variances: how far the doubts of one minute may move net dealer gamma at each node, as a
-- variance in ($M per point) squared. The first minute of a pricing has all that was known.
-- grain: state_at, minute_at, node
-- reads: book.bar_doubts, book.bar_nodes, book.bar_strikes
with

nodes as (
    select node from book.bar_nodes
    union
    select next_node from book.bar_nodes
),

bells as (
    select
        doubts.state_at,
        doubts.minute_at,
        doubts.order_id,
        doubts.is_package,
        doubts.doubtful_contracts * strikes.peak_musd as peak,
        strikes.d1,
        1 / strikes.deviation as steepness,
        strikes.spot,
        scan_point(strikes.spot) as point,
    from book.bar_doubts as doubts
    join book.bar_strikes as strikes using (state_at, root, expiry, strike)
    where abs(strikes.d1) < bar_gamma_reach() + 0.4::double / strikes.deviation
),

shifted as (
    select
        bells.*,
        nodes.node,
        scan_reach(d1, steepness, spot, point, nodes.node) as reach,
    from bells
    cross join nodes
),

shaped as (
    select
        state_at,
        minute_at,
        order_id,
        is_package,
        node,
        peak * exp(-0.5::double * reach * reach) as gamma_musd,
    from shifted
    where abs(reach) < bar_gamma_reach()
),

packages as (
    select state_at, minute_at, node, order_id, exact_sum(gamma_musd) as gamma_musd
    from shaped
    where is_package
    group by all
),

squares as (
    select state_at, minute_at, node, gamma_musd * gamma_musd as variance
    from packages
    union all
    select state_at, minute_at, node, gamma_musd * gamma_musd
    from shaped
    where not is_package
)

select
    state_at,
    minute_at,
    node,
    exact_square_sum(variance) as variance,
from squares
group by all
