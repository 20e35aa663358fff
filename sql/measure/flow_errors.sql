-- measure.flow_errors: share of minutes in which the 90 % interval of the customers' flow holds the true
-- one, and the slope of the true flow on the published one, over windows of five minutes that do not
-- overlap, each weighted by its stated variance. Minutes of a session hang together: the errors are
-- those of sessions.
-- grain: part, span
-- reads: measure.flow_minutes
with

compared as (
    select
        *,
        (true_delta between delta_lo_musd and delta_hi_musd)::integer as is_delta_covered,
        (true_gamma between gamma_lo_musd_per_point and gamma_hi_musd_per_point)::integer
            as is_gamma_covered,
        case when span = '5m' and minute_number(minute_et) % 5 = 0 and delta_hi_musd > delta_lo_musd
            then 1 / square(delta_hi_musd - delta_lo_musd)
        end as weight
    from measure.flow_minutes
),

sessions as (
    select
        part,
        span,
        seed,
        avg(is_delta_covered) as delta_covered_share,
        avg(is_gamma_covered) as gamma_covered_share,
        sum(weight * delta_musd * true_delta) as products,
        sum(weight * square(delta_musd)) as squares
    from compared
    group by part, span, seed
),

spread as (
    select
        part,
        span,
        count(*) as sessions,
        stddev_samp(delta_covered_share) / sqrt(count(*)) as delta_covered_error,
        stddev_samp(gamma_covered_share) / sqrt(count(*)) as gamma_covered_error,
        sum(products) / sum(squares) as delta_slope,
        stddev_samp(products / squares) / sqrt(count(products)) as delta_slope_error
    from sessions
    group by part, span
),

sums as (
    select
        part,
        span,
        count(delta_musd) as minute_count,
        avg(is_delta_covered) as delta_covered_share,
        avg(is_gamma_covered) as gamma_covered_share,
        median(delta_hi_musd - delta_lo_musd) as median_delta_width,
        median(abs(delta_musd - true_delta)) as median_delta_error
    from compared
    group by part, span
)

select *
from sums
inner join spread using (part, span)
order by span desc, part <> 'all', part
