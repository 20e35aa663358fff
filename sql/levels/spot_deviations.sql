-- levels.spot_deviations: one standard deviation of net dealer gamma at the spot, and the share of
-- its variance that rests on open interest alone. The error of an index by put-call parity counts
-- as what gamma changes over it. The convention, book 'oi', has neither.
-- grain: minute_at, book_basis, bucket
-- reads: book.bar_deviations, book.bar_nodes, book.bar_states, book.scan, surface.spots
with

steps as (
    select
        spots.minute_at,
        (
            round(spots.spot / scan_point(states.state_spot))
            - round(states.state_spot / scan_point(states.state_spot))
        )::integer as priced_step
    from surface.spots as spots
    inner join book.bar_states as states using (minute_at)
    where spots.spot is not null
),

-- in two joins: a plan made without counts joins all minutes with all nodes
node_steps as materialized (
    select steps.minute_at, nodes.node, nodes.next_node, nodes.next_share
    from steps
    inner join book.bar_nodes as nodes
        on nodes.step = least(greatest(steps.priced_step, -scan_steps()), scan_steps())
),

low as materialized (
    select
        node_steps.*,
        deviations.book_basis,
        deviations.bucket,
        deviations.deviation_musd,
        deviations.guess_variance
    from node_steps
    inner join book.bar_deviations as deviations using (minute_at, node)
),

-- the curve as far away as the error is: its slope at the spot says little of a bend near it
slopes as (
    select
        scan.minute_at,
        scan.book_basis,
        scan.bucket,
        (
            arg_max(scan.dealer_gamma_musd_per_point, scan.step)
            - arg_min(scan.dealer_gamma_musd_per_point, scan.step)
        ) / nullif(max(scan.index_point) - min(scan.index_point), 0) * any_value(spots.spot_error)
            as change_musd
    from surface.spots as spots
    inner join book.scan as scan
        on scan.minute_at = spots.minute_at
        and abs(scan.step) <= greatest(1, ceil(spots.spot_error / scan_point(spots.spot)))
    where spots.spot_source = 'parity'
    group by scan.minute_at, scan.book_basis, scan.bucket
),

deviations as (
    select
        low.minute_at,
        low.book_basis,
        low.bucket,
        low.deviation_musd + low.next_share * (high.deviation_musd - low.deviation_musd)
            as book_deviation,
        low.guess_variance + low.next_share * (high.guess_variance - low.guess_variance)
            as guess_variance
    from low
    inner join book.bar_deviations as high
        on high.minute_at = low.minute_at
        and high.book_basis = low.book_basis
        and high.bucket = low.bucket
        and high.node = low.next_node
)

select
    deviations.minute_at,
    deviations.book_basis,
    deviations.bucket,
    case
        when slopes.change_musd is null then deviations.book_deviation
        else sqrt(square(deviations.book_deviation) + square(slopes.change_musd))
    end as deviation_musd,
    coalesce(
        deviations.guess_variance / nullif(square(deviations.book_deviation), 0), 0
    ) as guess_share
from deviations
left join slopes using (minute_at, book_basis, bucket)
