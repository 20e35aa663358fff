-- book.scan_sums: the bells of the book, added up at the nodes of their width.
-- grain: minute_at, width_class, node
-- reads: book.pair_flows, book.pairs, book.positions, book.scan_nodes
with

bells as (
    select
        positions.minute_at,
        positions.d1,
        1 / positions.deviation as steepness,
        positions.peak_musd * pairs.inventory as inventory_peak,
        positions.peak_musd * pairs.oi as oi_peak,
        positions.peak_musd * (flows.call_flow + flows.put_flow) as flow_peak,
        case
            when positions.deviation * positions.spot < 60 * scan_point(positions.spot) then 'narrow'
            when positions.deviation * positions.spot < 150 * scan_point(positions.spot) then 'middle'
            when positions.deviation * positions.spot < 360 * scan_point(positions.spot) then 'wide'
            else 'far'
        end as width_class,
    from book.positions as positions
    join (
        select pair_number, call_inventory + put_inventory as inventory, call_oi + put_oi as oi
        from book.pairs
    ) as pairs on pairs.pair_number = positions.pair_number
    left join book.pair_flows as flows
        on flows.minute_at = positions.minute_at and flows.pair_number = positions.pair_number
    -- a bell whose reach ends before the widest window begins (40 % off the spot) adds nothing
    where abs(positions.d1) < gamma_reach() + 0.4::double / positions.deviation
),

shifts as (
    select
        spots.minute_at,
        nodes.width_class,
        nodes.node,
        ln((round(spots.spot / scan_point(spots.spot)) + nodes.step) * scan_point(spots.spot) / spots.spot)
            as log_shift,
    from (select distinct minute_at, spot from book.positions) as spots
    cross join book.scan_nodes as nodes
),

shaped as (
    select
        shifts.minute_at,
        shifts.width_class,
        shifts.node,
        bells.inventory_peak,
        bells.oi_peak,
        bells.flow_peak,
        gamma_shape(bells.d1, bells.steepness, shifts.log_shift) as shape,
    from bells
    join shifts using (minute_at, width_class)
    where abs(bells.d1 + bells.steepness * shifts.log_shift) < gamma_reach()
)

select
    minute_at,
    width_class,
    node,
    exact_sum(inventory_peak * shape) as inventory_musd,
    exact_sum(oi_peak * shape) as oi_musd,
    exact_sum(flow_peak * shape) as flow_musd,
from shaped
group by minute_at, width_class, node
