-- Implied volatility of Black-76 prices, set-based, with + * / exp ln sqrt atanh only.
-- The out-of-the-money time value is normalised to beta = TV / (discount * sqrt(F * K)). As
-- s = sigma * sqrt(T) goes to zero the price becomes Bachelier's, beta = s (n(x) - x N(-x)) with
-- x = a / s, a = |ln(F / K)|: there x depends on a / beta alone, and a rational of degree 5 gives it
-- to 1.2e-5. With the next terms, of order s^2 and s^4, that starts so near that one Halley step on
-- ln(beta) does for almost all prices of a chain; only the others take a second and a third.
-- Worst error 1.1e-12 relative on the vectors (1 minute to 30 days, to 12 sigma).

-- Why a price has no volatility, or null when it has one; null as well when an input is null.
create or replace macro black76_refusal(price, forward, strike, discount, years, option_type) as
    case
        when years <= 0 then 'expired'
        when price <= black76_intrinsic(forward, strike, discount, option_type) then
            'at_or_below_intrinsic'
        when price >= discount * case option_type when 'C' then forward when 'P' then strike end then
            'at_or_above_cap'
    end;

-- The same for an option out of the money, which has no intrinsic value.
create or replace macro black76_otm_refusal(price, forward, strike, discount, years) as
    case
        when years <= 0 then 'expired'
        when price <= 0 then 'at_or_below_intrinsic'
        when price >= discount * least(forward, strike) then 'at_or_above_cap'
    end;

create or replace macro implied_rational(w) as
    w * (((((3.9320404394411736e-02 * w - 9.457140359570303e-02) * w + 2.919584915972873e-01) * w - 1.2266393750319622e-01) * w + 2.173303036211081e-01) * w + 9.999885641289687e-01)
    / (((((3.9118162261493124e-02 * w - 8.200056358940148e-02) * w + 4.645176676860672e-01) * w - 5.799948418728292e-01) * w + 1.4694275623591311e+00) * w + 1.0::double);

-- x of Bachelier's price, from log_ratio = ln(a / beta).
create or replace macro implied_bachelier(log_ratio) as
    implied_rational(sqrt(ln(1.0::double + exp(least(
        600.0::double, 2.0::double * log_ratio - 1.83787706640934548::double
    )))));

create or replace macro implied_series(s0, v) as s0 * (1.0::double + v * (1.0::double + 2.1::double * v));

-- s from Bachelier's s0 = a / x: with v = s0^2 g(x) / 24, a rational g within 0.002 of the true
-- one, Black's s is s0 (1 + v + 2.1 v^2) but for terms of order s0^6.
create or replace macro implied_start(s0, x) as
    implied_series(s0, s0 * s0 * (1.0::double + 2.33610101e+00 * x)
        / (24.0::double * (((6.8060469e-01 * x + 1.05426151e+00) * x + 2.34449815e+00) * x + 1.0::double)));

-- The scaled price at s, held above zero because a logarithm of zero stops the whole query.
create or replace macro implied_scaled(a, s) as greatest(1e-300::double, black76_scaled_price(a, s));

-- Distance of ln(price at s) from ln(beta), over its slope: the Newton step with its sign changed.
create or replace macro implied_newton(a, log_beta, s, scaled) as
    (-0.5::double * (a * a / (s * s) + 0.25::double * s * s) + ln(scaled) - log_beta)
    * scaled / 0.3989422804014326779::double;

-- The Halley step, held to -60 % .. +150 % of s.
create or replace macro implied_halley(a, s, scaled, newton) as
    s + greatest(-0.6::double * s, least(1.5::double * s,
        -newton / greatest(0.3::double, 1.0::double - 0.5::double * newton * (
            (a * a / (s * s * s) - 0.25::double * s) - 0.3989422804014326779::double / scaled
        ))
    ));

-- Where the step to s was large, s itself: the start of a further step; else null, already there.
-- A step shrinks a relative error e to about e^3 / 4.
create or replace macro implied_unsettled(last_s, s) as
    case when abs(s - last_s) > 2e-4 * s then s end;

-- time_values: any table with time_value, that of the price, forward, strike, discount, years, and
-- refused_for, why the price has no volatility. Gives its other columns with implied_vol, null where
-- refusal says why; both null where an input is null.
create or replace macro implied_by_time_value(time_values) as table
    with

    normalised as (
        select
            *,
            abs(log_moneyness(forward, strike)) as a,
            case when refused_for is null then time_value / (discount * sqrt(forward * strike)) end
                as beta
        from query_table(time_values)
    ),

    -- at the forward itself a is zero, and a / x has no meaning: a point near it will do to start
    ratios as (select *, ln(beta) as log_beta, case when beta > 0 then greatest(a, 1e-5 * beta) end as a0 from normalised),

    inverted as (select *, implied_bachelier(ln(a0) - log_beta) as x from ratios),
    started as (select *, implied_start(a0 / x, x) as s0 from inverted),

    scaled1 as (select *, implied_scaled(a, s0) as d0 from started),
    newton1 as (select *, implied_newton(a, log_beta, s0, d0) as n0 from scaled1),
    halley1 as (select *, implied_halley(a, s0, d0, n0) as s1 from newton1),

    -- under a condition only the few rows that need a further step are computed
    unsettled1 as (select *, implied_unsettled(s0, s1) as u1 from halley1),
    scaled2 as (select *, case when u1 is not null then implied_scaled(a, u1) end as d1 from unsettled1),
    newton2 as (select *, case when u1 is not null then implied_newton(a, log_beta, u1, d1) end as n1 from scaled2),
    halley2 as (select *, case when u1 is not null then implied_halley(a, u1, d1, n1) end as s2 from newton2),

    unsettled2 as (select *, implied_unsettled(u1, s2) as u2 from halley2),
    scaled3 as (select *, case when u2 is not null then implied_scaled(a, u2) end as d2 from unsettled2),
    newton3 as (select *, case when u2 is not null then implied_newton(a, log_beta, u2, d2) end as n2 from scaled3),
    halley3 as (select *, case when u2 is not null then implied_halley(a, u2, d2, n2) end as s3 from newton3),

    settled as (
        select
            *,
            coalesce(s3, s2, s1) as s,
            -- a last step above one in a thousand has not arrived
            beta is not null and (isfinite(s) and (s3 is null or abs(s3 - u2) <= 1e-3 * s3))
                as has_arrived
        from halley3
    )

    select
        * exclude (
            a, a0, beta, log_beta, s, has_arrived, time_value, refused_for,
            x, s0, d0, n0, s1, u1, d1, n1, s2, u2, d2, n2, s3
        ),
        case when has_arrived then s / sqrt(years) end as implied_vol,
        case when beta is not null and not has_arrived then 'no_solution' else refused_for end as refusal
    from settled;

-- quotes: any table with price, forward, strike, discount, years, option_type. Gives all its
-- columns with those of implied_by_time_value.
create or replace macro black76_implied(quotes) as table
    with

    refused as (
        select
            *,
            price - black76_intrinsic(forward, strike, discount, option_type) as time_value,
            black76_refusal(price, forward, strike, discount, years, option_type) as refused_for
        from query_table(quotes)
    )

    from implied_by_time_value('refused');
