-- surface.discounts: time to expiry and discount of each expiry at each minute; term_number
-- identifies one expiry at one minute. Each minute takes the curve of tape.rates that was known
-- last before it. Without any the discount is 1 and discount_source is 'none'.
-- grain: minute_et, root, expiry
-- reads: tape.expiries, tape.minutes, tape.rates
with

rates as (
    select
        tenor_days,
        rate,
        coalesce(known_at, timestamp '-infinity') as curve_at
    from tape.rates
),

curve as (
    select
        curve_at,
        tenor_days,
        rate,
        lead(tenor_days) over one_curve as next_tenor_days,
        lead(rate) over one_curve as next_rate
    from rates
    window one_curve as (partition by curve_at order by tenor_days)
    union all
    -- before the first tenor its own rate holds
    select curve_at, -1e9::double, null, min(tenor_days), arg_min(rate, tenor_days)
    from rates
    group by curve_at
),

curves_known as (
    select minutes.minute_et, max(rates.curve_at) as curve_at
    from tape.minutes as minutes
    inner join (select distinct curve_at from rates) as rates
        on rates.curve_at < minutes.minute_at
    group by minutes.minute_et
),

remaining as (
    select
        curves_known.curve_at,
        minutes.minute_et,
        minutes.minute_at,
        expiries.root,
        expiries.expiry,
        expiries.expires_at,
        date_diff('second', minutes.minute_at, expiries.expires_at)::integer as seconds_left,
        seconds_left / 86400.0::double as days
    from tape.minutes as minutes
    left join curves_known using (minute_et)
    cross join tape.expiries as expiries
),

discounted as (
    select
        remaining.*,
        case
            when curve.next_tenor_days is null and curve.tenor_days is null then 1.0::double
            else flat_forward_discount(
                remaining.days,
                case when curve.rate is not null then curve.tenor_days end,
                curve.rate,
                curve.next_tenor_days,
                curve.next_rate
            )
        end as discount,
        case when curve.tenor_days is null then 'none' else 'curve' end as discount_source
    from remaining
    asof left join curve
        on remaining.curve_at = curve.curve_at and remaining.days >= curve.tenor_days
)

select
    -- the same number whichever other minutes are built
    (
        epoch(minute_at)::bigint // 60 % 1440 * 4096
        + dense_rank() over (order by root, expiry)
    )::integer as term_number,
    minute_et,
    minute_at,
    root,
    expiry,
    expires_at,
    seconds_left,
    years_of_seconds(seconds_left) as years,
    case when seconds_left > 0 then discount end as discount,
    discount_source
from discounted
