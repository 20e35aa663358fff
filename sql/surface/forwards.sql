-- surface.forwards: the forward of each expiry at each minute: the weighted median of its parity
-- pairs. Least squares would follow one bad quote; the median does not. Null with fewer than
-- min_pairs pairs, or where their median absolute deviation is above half a point.
-- grain: minute_et, root, expiry
-- reads: surface.pairs, surface.terms
-- param: min_pairs
with

pairs as (from surface.pairs),

medians as (from median_forwards('pairs')),

qualities as (
    select
        pairs.term_number,
        any_value(medians.median_forward) as median_forward,
        count(*)::integer as pair_count,
        -- of two middle deviations the larger
        list_sort(list(abs(pairs.forward - medians.median_forward)))[count(*) // 2 + 1]
            as forward_mad,
        max(pairs.forward_low) as forward_low,
        min(pairs.forward_high) as forward_high
    from surface.pairs as pairs
    inner join medians using (term_number)
    group by pairs.term_number
),

counted as (
    select
        terms.*,
        qualities.* exclude (term_number, pair_count),
        coalesce(qualities.pair_count, 0) as pair_count
    from surface.terms as terms
    left join qualities using (term_number)
),

judged as (
    select
        *,
        case
            when reason is not null then reason
            when pair_count < $min_pairs::integer or forward_mad > 0.50 then 'no_forward'
        end as forward_reason
    from counted
)

select
    term_number,
    minute_et,
    minute_at,
    root,
    expiry,
    expires_at,
    seconds_left,
    years,
    discount,
    discount_source,
    case when forward_reason is null then median_forward end as forward,
    pair_count,
    forward_mad,
    forward_low,
    forward_high,
    spot,
    forward_reason as reason
from judged
