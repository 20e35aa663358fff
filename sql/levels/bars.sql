-- levels.bars: the confidence interval of the flip: the stretch of the index around it on which net
-- dealer gamma is no more than bar_half_width() deviations from zero, widened by the distance
-- between quotes and index. An interval that extends past the scan ends there and is open at that
-- end. Where the estimate has no flip but zero is not ruled out somewhere, the interval is that
-- around the likeliest level. The convention, book 'oi', has none.
-- grain: minute_at, book_basis, bucket
-- reads: book.bar_deviations, book.bar_nodes, book.bar_shifts, book.bar_states, book.scan, levels.flips, surface.spots
with

deviations as (
    select
        curve_number(minute_at, book_basis, bucket) as curve,
        list(deviation_musd order by node) as deviations
    from book.bar_deviations
    group by minute_at, book_basis, bucket
),

steps as (
    select
        curve_number(scan.minute_at, scan.book_basis, scan.bucket) as curve,
        scan.step,
        scan.index_point,
        abs(scan.dealer_gamma_musd_per_point) as gamma,
        (
            round(scan.index_point / scan_point(states.state_spot))
            - round(states.state_spot / scan_point(states.state_spot))
        )::integer as priced_step
    from book.scan as scan
    inner join book.bar_states as states using (minute_at)
    where scan.book_basis <> 'oi'
),

-- a node is the one before it in the list: both ends of a step are looked up, not joined
judged as materialized (
    select
        steps.* exclude (priced_step),
        bar_half_width() * (
            deviations.deviations[nodes.node_number + 1]
            + nodes.next_share * (
                deviations.deviations[nodes.node_number + 2]
                - deviations.deviations[nodes.node_number + 1]
            )
        ) as half_width,
        -- gamma without a sign is never significant
        if(is_gamma_noise(gamma), least(gamma - half_width, 0), gamma - half_width) as excess
    from steps
    inner join book.bar_nodes as nodes
        on nodes.step = least(greatest(steps.priced_step, -scan_steps()), scan_steps())
    inner join deviations using (curve)
),

likeliest as (
    select
        curve,
        arg_min(index_point, (gamma / half_width, index_point)) filter (excess <= 0) as centre
    from judged
    group by curve
),

centres as (
    select
        likeliest.curve,
        coalesce(flips.flip, likeliest.centre) as centre
    from likeliest
    -- a book without any gamma yet has no lobes, and no row there
    left join levels.flips as flips
        on curve_number(flips.minute_at, flips.book_basis, flips.bucket) = likeliest.curve
    where coalesce(flips.flip, likeliest.centre) is not null
),

outside as (
    select
        judged.curve,
        any_value(centres.centre) as centre,
        max(judged.step) filter (judged.excess > 0 and judged.index_point < centres.centre)
            as low_step,
        min(judged.step) filter (judged.excess > 0 and judged.index_point > centres.centre)
            as high_step
    from judged
    inner join centres using (curve)
    group by judged.curve
),

-- found before its neighbour is sought: a plan made without counts joins all steps with all
beyond as materialized (
    select
        outside.centre,
        judged.*,
        judged.step + case when judged.step = outside.low_step then 1 else -1 end as inner_step
    from outside
    inner join judged
        on judged.curve = outside.curve
        and judged.step in (outside.low_step, outside.high_step)
),

-- the end lies between the first step outside and the last one inside, or the centre itself
bar_ends as (
    select
        beyond.curve,
        inner_step.index_point = beyond.centre
            or sign(inner_step.index_point - beyond.centre)
            = sign(beyond.index_point - beyond.centre) as is_apart,
        if(is_apart, inner_step.index_point, beyond.centre) as inner_point,
        if(is_apart, inner_step.excess, -beyond.half_width) as inner_excess,
        inner_point < beyond.index_point as is_high,
        inner_point
        + (beyond.index_point - inner_point) * inner_excess / (inner_excess - beyond.excess)
            as bar_end
    from beyond
    inner join judged as inner_step
        on inner_step.curve = beyond.curve
        and inner_step.step = beyond.inner_step
),

extents as (
    select
        outside.curve,
        any_value(outside.centre) as centre,
        min(bar_ends.bar_end) filter (not bar_ends.is_high) as low,
        max(bar_ends.bar_end) filter (bar_ends.is_high) as high
    from outside
    left join bar_ends using (curve)
    group by outside.curve
),

shifted as (
    select
        extents.curve,
        extents.centre,
        bar_half_width() * coalesce(shifts.shift_points, 0) as shift,
        spots.spot - scan_steps() * scan_point(spots.spot) as first_point,
        spots.spot + scan_steps() * scan_point(spots.spot) as last_point,
        extents.low is null as is_low_open,
        extents.high is null as is_high_open,
        coalesce(extents.low, first_point) as low,
        coalesce(extents.high, last_point) as high
    from extents
    inner join surface.spots as spots on spots.minute_at = curve_minute(extents.curve)
    left join book.bar_shifts as shifts on shifts.minute_at = spots.minute_at
)

select
    curve_minute(curve) as minute_at,
    curve_basis(curve) as book_basis,
    curve_bucket(curve) as bucket,
    is_low_open,
    is_high_open,
    greatest(first_point, centre - sqrt(power(centre - low, 2) + shift * shift)) as flip_lo,
    least(last_point, centre + sqrt(power(high - centre, 2) + shift * shift)) as flip_hi
from shifted
