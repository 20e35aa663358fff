-- book.scan: net dealer gamma at every step of the index around the spot, for each book, of all
-- expiries and of each bucket of them.
-- Sticky strike: volatilities and time as at the minute, the forward in proportion to the index.
-- The book 'measured' is the inventory at the open with the flow since; 'vol' is the flow alone;
-- 'oi' open interest by everybody's convention, calls long and puts short.
-- A book of which too much is not priced has none.
-- grain: minute_at, book_basis, bucket, step
-- reads: book.coverage, book.scan_nodes, book.scan_sums, book.scan_weights, surface.forwards
with

-- the nodes of one width in their order; a book without a position there has none, not zeros
curves as (
    select
        minute_at,
        bucket,
        width_class,
        list(inventory_musd order by node) as inventory,
        list(oi_musd order by node) as oi,
        case when count(flow_musd) > 0 then list(coalesce(flow_musd, 0) order by node) end as flow
    from book.scan_sums
    where width_class <> 'narrow'
    group by minute_at, bucket, width_class
),

parts as (
    select
        curves.minute_at,
        curves.bucket,
        weights.step,
        list_dot_product(curves.inventory, weights.weights) as inventory_musd,
        list_dot_product(curves.oi, weights.weights) as oi_musd,
        list_dot_product(curves.flow, weights.weights) as flow_musd
    from curves
    inner join book.scan_weights as weights using (width_class)
    union all
    select
        sums.minute_at,
        sums.bucket,
        nodes.step,
        sums.inventory_musd,
        sums.oi_musd,
        sums.flow_musd
    from book.scan_sums as sums
    inner join book.scan_nodes as nodes using (width_class, node)
    where sums.width_class = 'narrow'
),

books as (
    select
        minute_at,
        bucket,
        step,
        exact_sum(inventory_musd) as inventory_musd,
        exact_sum(oi_musd) as oi_musd,
        exact_sum(flow_musd) as flow_musd
    from parts
    group by minute_at, bucket, step
),

bases as (
    select
        minute_at,
        bucket,
        step,
        unnest([
            {
                'book_basis': 'measured',
                -- a book without any flow yet is its inventory
                'gamma_musd': inventory_musd + coalesce(flow_musd, 0)
            },
            {'book_basis': 'vol', 'gamma_musd': flow_musd},
            {'book_basis': 'oi', 'gamma_musd': oi_musd}
        ]) as basis
    from books
),

spots as (
    select distinct minute_at, spot, scan_point(spot) as point
    from surface.forwards
    where spot is not null
)

select
    bases.minute_at,
    bases.basis.book_basis as book_basis,
    bases.bucket,
    bases.step,
    (round(spots.spot / spots.point) + bases.step) * spots.point as index_point,
    bases.basis.gamma_musd as dealer_gamma_musd_per_point
from bases
inner join spots using (minute_at)
left join book.coverage as coverage
    on coverage.minute_at = bases.minute_at
    and coverage.book_basis = bases.basis.book_basis
    and coverage.bucket = bases.bucket
where bases.basis.gamma_musd is not null
    and coalesce(coverage.is_priced_enough, true)
    and abs(index_point - spots.spot) <= scan_steps() * spots.point
