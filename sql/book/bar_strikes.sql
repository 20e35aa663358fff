-- book.bar_strikes: the gamma of every strike in the book or in its uncertainty, at the minutes
-- that price the deviations, with the error of its volatility: the quote's error over vega.
-- grain: state_at, pair_number
-- reads: book.bar_points, book.bar_shares, book.bar_states, book.expiry_buckets, book.pairs, surface.forwards
with

states as (select distinct state_at, state_et as minute_et from book.bar_states),

live as (
    select
        states.state_at,
        coalesce(buckets.bucket, 'later') as bucket,
        forwards.term_number,
        forwards.spot,
        forwards.forward,
        forwards.discount,
        pairs.pair_number,
        pairs.strike
    from surface.forwards as forwards
    inner join states using (minute_et)
    inner join book.pairs as pairs using (root, expiry)
    left join book.expiry_buckets as buckets
        on buckets.minute_at = states.state_at and buckets.expiry = pairs.expiry
    where forwards.forward is not null
        and forwards.years > 0
),

points as (
    select points.*, points.half_spread * shares.error_share as price_error
    from book.bar_points as points
    inner join book.bar_shares as shares using (term_number)
),

priced as (
    select
        live.*,
        points.price_error,
        points.vega_scale,
        sqrt(smile_total_variance(
            log_moneyness(live.strike, live.forward),
            points.log_moneyness,
            points.total_variance,
            points.next_log_moneyness,
            points.next_total_variance
        )) as deviation,
        log_moneyness(live.forward, live.strike) / deviation + 0.5::double * deviation as d1
    from live
    asof join points
        on live.term_number = points.term_number
        and live.strike >= points.from_strike
)

select
    state_at,
    pair_number,
    bucket,
    deviation,
    d1,
    gamma_peak_musd(spot, forward, discount, deviation) as peak_musd,
    least(
        1.0::double,
        coalesce(price_error, 0) / (vega_scale * normal_density(d1) * deviation)
    ) as volatility_error
from priced
