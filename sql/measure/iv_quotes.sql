-- measure.iv_quotes: out-of-the-money prices whose volatility is known: one minute to thirty days,
-- 5 to 80 %, within five deviations, spread evenly by multiples of irrational numbers.
-- grain: number
-- reads:
-- param: quote_count
with

numbers as (select unnest(range($quote_count::bigint))::double as number),

spread as (
    select
        number,
        (number * 0.41421356237309515) % 1 as along_time,
        (number * 0.73205080756887729) % 1 as along_vol,
        (number * 0.2360679774997898) % 1 as along_strike
    from numbers
),

terms as (
    select
        number,
        along_strike,
        6000.0::double as forward,
        0.999::double as discount,
        60 * power(43200.0::double, along_time) / 31536000 as years,
        0.05 + 0.75 * along_vol as true_vol
    from spread
),

strikes as (
    select *, true_vol * sqrt(years) as s, 6000 * exp((10 * along_strike - 5) * s) as strike
    from terms
),

options as (select *, abs(log_moneyness(forward, strike)) as a from strikes)

select
    number,
    forward,
    strike,
    discount,
    years,
    case when strike < forward then 'P' else 'C' end as option_type,
    true_vol,
    -- the time value, of which a price out of the money consists
    discount * sqrt(forward * strike) * exp(-0.5::double * (a * a / (s * s) + 0.25::double * s * s))
    * black76_scaled_price(a, s) as price
from options
