-- book.bar_variances: variance of net dealer gamma at each node from the deviations of one minute,
-- in ($M per point) squared, of all expiries and of each bucket of them. The first minute of a
-- pricing has all that was known.
-- grain: state_at, minute_at, bucket, node_number
-- reads: book.bar_covariances, book.bar_nodes, book.bar_states, book.bar_strikes
with

cells as (from book.bar_nodes),

states as (from book.bar_states),

shifts as (select * from bar_log_shifts(states, cells)),

-- the product of two bells, exp of a parabola of the shift
bells as (
    select
        covariances.state_at,
        covariances.minute_at,
        -- of strikes in two buckets, of neither
        case when strikes.bucket = other_strikes.bucket then strikes.bucket else 'later' end
            as bucket,
        covariances.covariance * strikes.peak_musd * other_strikes.peak_musd as peak,
        -0.5::double * (strikes.d1 * strikes.d1 + other_strikes.d1 * other_strikes.d1) as at_spot,
        -(strikes.d1 / strikes.deviation + other_strikes.d1 / other_strikes.deviation) as slope,
        -0.5::double * (
            1 / (strikes.deviation * strikes.deviation)
            + 1 / (other_strikes.deviation * other_strikes.deviation)
        ) as bend
    from book.bar_covariances as covariances
    inner join book.bar_strikes as strikes using (state_at, pair_number)
    inner join book.bar_strikes as other_strikes
        on other_strikes.state_at = covariances.state_at
        and other_strikes.pair_number = covariances.other_number
    where abs(strikes.d1) < bar_gamma_cutoff() + 0.4::double / strikes.deviation
        and abs(other_strikes.d1) < bar_gamma_cutoff() + 0.4::double / other_strikes.deviation
),

shaped as (
    select
        bells.state_at,
        bells.minute_at,
        bells.bucket,
        peak * exp(at_spot + columns('^\d+$') * (slope + columns('^\d+$') * bend))
    from bells
    inner join shifts using (state_at)
),

parts as (
    select state_at, minute_at, bucket, exact_square_sum(columns('^\d+$'))
    from shaped
    group by state_at, minute_at, bucket
),

bucketed as (
    select * replace ('all' as bucket) from parts
    union all
    from parts where bucket <> 'later'
),

sums as (
    select state_at, minute_at, bucket, exact_square_sum(columns('^\d+$'))
    from bucketed
    group by state_at, minute_at, bucket
)

select
    state_at,
    minute_at,
    bucket,
    node_number::integer as node_number,
    variance
from (unpivot sums on columns('^\d+$') into name node_number value variance)
