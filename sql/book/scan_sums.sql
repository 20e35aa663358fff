-- book.scan_sums: the gamma curves of the book's strikes over the index (bells), added up at the
-- nodes of their width, of all expiries and of each bucket of them, in $M per index point.
-- grain: minute_at, bucket, width_class, node
-- reads: book.holdings, book.positions, book.scan_nodes, surface.forwards
with

bells as not materialized (
    select
        positions.minute_at,
        positions.bucket,
        case
            when width_steps < 30 then 'narrow'
            when width_steps < 60 then 'close'
            when width_steps < 150 then 'middle'
            when width_steps < 480 then 'wide'
            else 'far'
        end as width_class,
        positions.d1,
        1 / positions.deviation as steepness,
        positions.peak_musd * (holdings.call_inventory + holdings.put_inventory) as inventory_peak,
        positions.peak_musd * (holdings.call_oi + holdings.put_oi) as oi_peak,
        positions.peak_musd * (positions.call_flow + positions.put_flow) as flow_peak
    from book.positions as positions
    inner join book.holdings as holdings
        on holdings.pair_number = positions.pair_number
        and positions.minute_at >= holdings.enters_at
        and positions.minute_at < holdings.leaves_at
    -- a bell whose support ends before the widest window begins (40 % off the spot) adds nothing
    where abs(positions.d1) < gamma_cutoff() + 0.4::double / positions.deviation
),

spots as (
    select distinct minute_at, spot, scan_point(spot) as point
    from surface.forwards
    where spot is not null
),

nodes as (from book.scan_nodes),

shifts as materialized (from scan_log_shifts(spots, nodes)),

blocks as (
    select
        *,
        least(*columns('^\d+$')) as lowest_shift,
        greatest(*columns('^\d+$')) as highest_shift
    from shifts
),

shaped as not materialized (
    select
        bells.minute_at,
        bells.bucket,
        bells.width_class,
        blocks.block,
        inventory_peak,
        oi_peak,
        flow_peak,
        gamma_shape(d1, steepness, columns('^\d+$'))
    from bells
    inner join blocks using (minute_at, width_class)
    -- interpolation needs all nodes of a width
    where width_class <> 'narrow'
        or (
            d1 + steepness * lowest_shift < gamma_cutoff()
            and d1 + steepness * highest_shift > -gamma_cutoff()
        )
),

parts as (
    select
        minute_at,
        bucket,
        width_class,
        block,
        sum(abs(inventory_peak)) as inventory_gross,
        sum(abs(oi_peak)) as oi_gross,
        sum(abs(flow_peak)) as flow_gross,
        sum(whole_units(inventory_peak * columns('^(\d+)$'))) as 'inventory_\1',
        sum(whole_units(oi_peak * columns('^(\d+)$'))) as 'oi_\1',
        sum(whole_units(flow_peak * columns('^(\d+)$'))) as 'flow_\1'
    from shaped
    group by minute_at, bucket, width_class, block
),

bucketed as (
    select * replace ('all' as bucket) from parts
    union all
    from parts where bucket <> 'later'
),

sums as (
    select minute_at, bucket, width_class, block, sum(columns('_\d+$'))
    from bucketed
    group by minute_at, bucket, width_class, block
    having is_sum_exact(sum(inventory_gross))
        and is_sum_exact(sum(oi_gross))
        and is_sum_exact(sum(flow_gross))
),

terms as (
    select
        *,
        split_part(term, '_', 1) as part,
        block * 12 + split_part(term, '_', 2)::integer as node
    from (unpivot sums on columns('_\d+$') into name term value units)
)

select
    minute_at,
    bucket,
    width_class,
    node,
    (sum(units) filter (part = 'inventory'))::double / 1e10 as inventory_musd,
    (sum(units) filter (part = 'oi'))::double / 1e10 as oi_musd,
    (sum(units) filter (part = 'flow'))::double / 1e10 as flow_musd
from terms
group by minute_at, bucket, width_class, node
