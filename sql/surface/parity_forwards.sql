-- surface.parity_forwards: the forwards of the expiries that say where the index is, with one
-- standard deviation of each in index points: the spreads of its pairs, or their scatter where that
-- is wider, and what the index moves between quotes and state. log_carry is the logarithm of the
-- forward over the index, where both are known. None with fewer than min_pairs pairs, or where
-- their median absolute deviation is above half a point.
-- grain: minute_et, root, expiry
-- reads: surface.index_spots, surface.parity_pairs, surface.parity_terms
-- param: min_pairs
with

pairs as (from surface.parity_pairs),

medians as (from median_forwards('pairs')),

qualities as (
    select
        pairs.term_number,
        any_value(medians.median_forward) as median_forward,
        count(*)::integer as pair_count,
        -- of two middle deviations the larger
        list_sort(list(abs(pairs.forward - medians.median_forward)))[count(*) // 2 + 1]
            as forward_mad,
        max(pairs.quoted_at) as quoted_at,
        exact_sum(pairs.weight) as total_weight,
        exact_sum(square(pairs.weight)) as total_square,
        exact_sum(pairs.weight * pairs.age_deviation) / total_weight as age_deviation,
        -- a price is anywhere between its bounds
        exact_sum(square(bar_error_share() * pairs.weight * pairs.half_width)) as bound_variance,
        any_value(pairs.second_deviation) as second_deviation
    from pairs
    inner join medians using (term_number)
    group by pairs.term_number
),

measured as (
    select
        *,
        -- a median rests on two thirds of what a mean rests on
        sqrt(
            pi() / 2 * greatest(bound_variance, total_square * square(1.4826::double * forward_mad))
        ) / total_weight as pair_deviation
    from qualities
    where pair_count >= $min_pairs::integer and forward_mad <= 0.50
)

select
    terms.term_number,
    terms.minute_et,
    terms.minute_at,
    terms.root,
    terms.expiry,
    terms.years,
    terms.discount,
    terms.discount_source,
    terms.is_far,
    measured.median_forward as forward,
    measured.quoted_at,
    sqrt(
        square(measured.pair_deviation)
        + square(measured.age_deviation)
        + square(measured.second_deviation)
    ) as forward_error,
    ln(measured.median_forward / spots.spot) as log_carry
from surface.parity_terms as terms
inner join measured using (term_number)
left join surface.index_spots as spots using (minute_at)
