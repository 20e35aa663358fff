-- measure.level_errors: error of the levels of all sessions against those of the true book, and the
-- share of confidence intervals of the flip that contain the true one: of the minutes that have
-- one, where a minute without an interval counts as a miss. An interval may be given without a flip:
-- the stretch in which one is not ruled out.
-- grain: dealers, inventory, book_basis
-- reads: measure.level_minutes
with

compared as (
    select
        *,
        flip_lo is not null as is_given,
        case
            when true_flip is not null
                then coalesce(true_flip between flip_lo and flip_hi, false)::integer
        end as is_covered,
        true_flip is null and flip is not null as is_invented,
        coalesce(reason in ('inventory_unknown', 'no_bound'), false) as is_unbounded,
        -- a bar that ends where the scan does; null without a bar
        greatest(flip_hi - spot, spot - flip_lo) >= scan_steps() - 1 as is_open,
        abs(p_positive - 0.5) > 0.4 as is_sure
    from measure.level_minutes
),

spans as (
    select
        dealers,
        inventory,
        book_basis,
        seed,
        avg(is_covered) filter (book_basis <> 'oi') as covered_share,
        avg(is_covered) filter (is_given) as given_covered_share
    from compared
    group by all
),

extremes as (
    select
        dealers,
        inventory,
        book_basis,
        count(*) as sessions,
        min(covered_share) as least_covered_share,
        max(covered_share) as most_covered_share,
        -- minutes of a session hang together, sessions do not; null of a single one
        stddev_samp(covered_share) / sqrt(count(covered_share)) as covered_error,
        stddev_samp(given_covered_share) / sqrt(count(given_covered_share)) as given_covered_error
    from spans
    group by all
),

sums as (
    select
        dealers,
        inventory,
        book_basis,
        count(*) as minute_count,
        count(true_flip) as flip_count,
        avg(measured_share) as measured_share,
        avg((flip is not null)::integer) as named_share,
        avg(is_unbounded::integer) as unbounded_share,
        -- null of a book that has no intervals
        avg(is_covered) filter (book_basis <> 'oi') as covered_share,
        avg(is_covered) filter (is_given) as given_covered_share,
        count(*) filter (is_invented) as invented_count,
        avg(flip_hi - flip_lo) as mean_width,
        avg(is_open::integer) as open_share,
        median(abs(flip - true_flip)) as median_flip_error,
        quantile_cont(abs(flip - true_flip), 0.9) as high_flip_error,
        avg(is_sure::integer) as sure_share,
        avg(((true_gamma > 0) = (p_positive > 0.5))::integer) filter (is_sure) as sure_right_share,
        median(abs(gamma - true_gamma)) as median_gamma_error,
        median(abs(true_gamma)) as median_gamma
    from compared
    group by all
)

select *
from sums
inner join extremes using (dealers, inventory, book_basis)
order by dealers <> 'flip_below', dealers, inventory desc, book_basis
