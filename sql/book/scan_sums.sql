-- book.scan_sums: the bells of the book, added up at the nodes of their width.
-- grain: minute_at, width_class, node
-- reads: book.pair_flows, book.pairs, book.positions, book.scan_nodes
with

bells as (
    select
        positions.minute_at,
        positions.spot,
        scan_point(positions.spot) as point,
        0 as first_step,
        positions.deviation * positions.spot / point as width_steps,
        positions.d1,
        1 / positions.deviation as steepness,
        positions.peak_musd * (pairs.call_inventory + pairs.put_inventory) as inventory_peak,
        positions.peak_musd * (pairs.call_oi + pairs.put_oi) as oi_peak,
        positions.peak_musd * (flows.call_flow + flows.put_flow) as flow_peak,
    from book.positions as positions
    join book.pairs as pairs on pairs.pair_number = positions.pair_number
    left join book.pair_flows as flows
        on flows.minute_at = positions.minute_at and flows.pair_number = positions.pair_number
    -- a bell whose reach ends before the widest window begins (40 % off the spot) adds nothing
    where abs(positions.d1) < gamma_reach() + 0.4::double / positions.deviation
),

-- of the narrow bells only the blocks of steps they reach
narrow as (
    select * replace (blocks.first_step as first_step)
    from bells
    cross join (select unnest(range(-scan_steps(), scan_steps() + 1, 20)) as first_step) as blocks
    where width_steps < 30
        and scan_reach(d1, steepness, spot, point, blocks.first_step) < gamma_reach()
        and scan_reach(d1, steepness, spot, point, blocks.first_step + 19) > -gamma_reach()
),

close as (select * from bells where width_steps >= 30 and width_steps < 60),
middle as (select * from bells where width_steps >= 60 and width_steps < 150),
wide as (select * from bells where width_steps >= 150 and width_steps < 360),
far as (select * from bells where width_steps >= 360),

narrow_nodes as (from book.scan_nodes where width_class = 'narrow'),
close_nodes as (from book.scan_nodes where width_class = 'close'),
middle_nodes as (from book.scan_nodes where width_class = 'middle'),
wide_nodes as (from book.scan_nodes where width_class = 'wide'),
far_nodes as (from book.scan_nodes where width_class = 'far'),

sums as (
    select 'narrow' as width_class, * from scan_bells(narrow, narrow_nodes)
    union all
    select 'close', * from scan_bells(close, close_nodes)
    union all
    select 'middle', * from scan_bells(middle, middle_nodes)
    union all
    select 'wide', * from scan_bells(wide, wide_nodes)
    union all
    select 'far', * from scan_bells(far, far_nodes)
)

select
    minute_at,
    width_class,
    node,
    inventory_musd,
    oi_musd,
    flow_musd,
from sums
