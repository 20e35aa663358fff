-- book.bar_noises: how far the quotes' spreads may move net dealer gamma at each node, as a
-- variance in ($M per point) squared: each strike's position with the error of its own volatility.
-- grain: state_at, node
-- reads: book.bar_nodes, book.bar_strikes, book.pair_flows, book.pairs
with

nodes as (
    select node from book.bar_nodes
    union
    select next_node from book.bar_nodes
),

bells as (
    select
        strikes.state_at,
        strikes.d1,
        strikes.deviation,
        1 / strikes.deviation as steepness,
        strikes.spot,
        scan_point(strikes.spot) as point,
        strikes.volatility_error * strikes.peak_musd as error_peak,
        pairs.call_inventory + pairs.put_inventory as inventory,
        pairs.call_oi + pairs.put_oi as oi,
        coalesce(flows.call_flow + flows.put_flow, 0) as flow,
    from book.bar_strikes as strikes
    join book.pairs as pairs using (root, expiry, strike)
    left join book.pair_flows as flows
        on flows.minute_at = strikes.state_at and flows.pair_number = pairs.pair_number
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

-- gamma is bell(d1) / s: relative to a relative error of s it moves by d1 d2 - 1
shaped as (
    select
        state_at,
        node,
        inventory + flow as measured,
        oi,
        flow,
        error_peak * exp(-0.5::double * reach * reach) * (reach * (reach - deviation) - 1) as error,
    from shifted
    where abs(reach) < bar_gamma_reach()
)

select
    state_at,
    node,
    exact_square_sum(measured * error * (measured * error)) as measured_variance,
    exact_square_sum(flow * error * (flow * error)) as vol_variance,
    exact_square_sum(oi * error * (oi * error)) as oi_variance,
from shaped
group by all
