-- measure.flow_errors: share of minutes in which the 90 % interval of the customers' flow holds the true
-- one, and the slope of the true flow on the published one. Minutes of a session hang together: the
-- errors are those of sessions. Slopes are over windows that do not overlap: each fifth minute of
-- '5m', the last minute of 'day'.
-- grain: part, span
-- reads: measure.flow_minutes
with

compared as (
    select
        *,
        delta_lo_musd is not null as has_delta,
        (true_delta between delta_lo_musd and delta_hi_musd)::integer as is_delta_covered,
        (true_gamma between gamma_lo_musd_per_point and gamma_hi_musd_per_point)::integer
            as is_gamma_covered,
        case span
            when '5m' then minute_number(minute_et) % 5 = 0
            else minute_et = max(minute_et) over (partition by seed)
        end as is_window
    from measure.flow_minutes
),

sessions as (
    select
        part,
        span,
        seed,
        avg(is_delta_covered) as delta_covered_share,
        avg(is_gamma_covered) as gamma_covered_share
    from compared
    group by part, span, seed
),

spread as (
    select
        part,
        span,
        count(*) as sessions,
        stddev_samp(delta_covered_share) / sqrt(count(*)) as delta_covered_error,
        stddev_samp(gamma_covered_share) / sqrt(count(*)) as gamma_covered_error
    from sessions
    group by part, span
),

sums as (
    select
        part,
        span,
        count(*) filter (has_delta) as minute_count,
        avg(is_delta_covered) as delta_covered_share,
        avg(is_gamma_covered) as gamma_covered_share,
        regr_slope(true_delta, delta_musd) filter (is_window) as delta_slope,
        regr_slope(true_gamma, gamma_musd_per_point) filter (is_window) as gamma_slope,
        median(delta_hi_musd - delta_lo_musd) as median_delta_width,
        median(abs(delta_musd - true_delta)) as median_delta_error
    from compared
    group by part, span
)

select *
from sums
inner join spread using (part, span)
order by part, span
