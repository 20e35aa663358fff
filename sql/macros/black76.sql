-- Black-76 on a forward: price and greeks of one European option. The same forward F, discount and
-- years T give calls and puts; s = sigma * sqrt(T). Greeks are in spot terms: the forward moves in
-- proportion to the spot (sticky strike). Null in, null out; null as well where T or sigma is not
-- above zero, because then there is no time value to differentiate: null is not zero.

-- ACT/365 by seconds; negative after expiry.
create or replace macro years_of_seconds(seconds) as seconds / 31536000.0::double;

-- ln(forward / strike) without the loss of digits of a logarithm near 1.
create or replace macro log_moneyness(forward, strike) as
    2.0::double * atanh((forward - strike) / (forward + strike));

create or replace macro black76_d1(forward, strike, vol, years) as
    case when years > 0 and vol > 0 then
        log_moneyness(forward, strike) / (vol * sqrt(years)) + 0.5::double * vol * sqrt(years)
    end;

-- exp(-(a^2 / s^2 + s^2 / 4) / 2) * black76_scaled_price(a, s) * discount * sqrt(F * K) is the
-- price of the out-of-the-money option, a = |ln(F / K)|: no difference of two nearly equal prices.
create or replace macro black76_scaled_price(a, s) as
    0.5::double * (
        erfcx((a / s - 0.5::double * s) * 0.70710678118654752440::double)
        - erfcx_of_positive((a / s + 0.5::double * s) * 0.70710678118654752440::double)
    );

create or replace macro black76_time_value(forward, strike, discount, vol, years) as
    case when years > 0 and vol > 0 then
        discount * sqrt(forward * strike)
        * exp(-0.5::double * (
            power(log_moneyness(forward, strike), 2) / (vol * vol * years)
            + 0.25::double * vol * vol * years
        ))
        * black76_scaled_price(abs(log_moneyness(forward, strike)), vol * sqrt(years))
    end;

create or replace macro black76_intrinsic(forward, strike, discount, option_type) as
    case option_type
        when 'C' then case when forward > strike then discount * (forward - strike) else discount * 0 end
        when 'P' then case when strike > forward then discount * (strike - forward) else discount * 0 end
    end;

create or replace macro black76_price(forward, strike, discount, vol, years, option_type) as
    black76_intrinsic(forward, strike, discount, option_type)
    + black76_time_value(forward, strike, discount, vol, years);

-- Value of one index point of spot in the option's forward: discount * forward / spot.
create or replace macro black76_carry(spot, forward, discount) as discount * forward / spot;

-- Per index point; that of a put is this one less black76_carry().
create or replace macro black76_delta(spot, forward, strike, discount, vol, years, option_type) as
    black76_carry(spot, forward, discount)
    * case option_type
        when 'C' then normal_cdf(black76_d1(forward, strike, vol, years))
        when 'P' then -normal_cdf(-black76_d1(forward, strike, vol, years))
    end;

-- Per index point squared; equal for the call and the put of a strike.
create or replace macro black76_gamma(spot, forward, strike, discount, vol, years) as
    case when years > 0 and vol > 0 then
        discount * normal_density(
            log_moneyness(forward, strike) / (vol * sqrt(years)) + 0.5::double * vol * sqrt(years)
        ) * forward / (spot * spot * vol * sqrt(years))
    end;

-- Change of delta per 1.00 of volatility; equal for the call and the put of a strike.
create or replace macro vanna_at(carry, d1, deviation, vol) as
    carry * normal_density(d1) * (deviation - d1) / vol;

create or replace macro black76_vanna(spot, forward, strike, discount, vol, years) as
    vanna_at(
        black76_carry(spot, forward, discount),
        black76_d1(forward, strike, vol, years),
        vol * sqrt(years),
        vol
    );

-- Change of delta over all of the time left, index and volatility held fixed: interest and dividends
-- stay as the discount and the forward imply them, so the forward runs towards the index. The delta
-- on the forward is N(d1) of a call, -N(-d1) of a put.
create or replace macro charm_at(spot, forward, discount, d1, deviation, forward_delta) as
    black76_carry(spot, forward, discount) * (
        normal_density(d1) * (
            0.5::double * (d1 - deviation) - log_moneyness(forward, spot) / deviation
        )
        - ln(black76_carry(spot, forward, discount)) * forward_delta
    );

-- The same per year of calendar time.
create or replace macro black76_charm(spot, forward, strike, discount, vol, years, option_type) as
    case when years > 0 and vol > 0 then
        charm_at(
            spot,
            forward,
            discount,
            black76_d1(forward, strike, vol, years),
            vol * sqrt(years),
            case option_type
                when 'C' then normal_cdf(black76_d1(forward, strike, vol, years))
                when 'P' then -normal_cdf(-black76_d1(forward, strike, vol, years))
            end
        ) / years
    end;

-- Per 1.00 of volatility.
create or replace macro black76_vega(forward, strike, discount, vol, years) as
    discount * forward * sqrt(years) * normal_density(black76_d1(forward, strike, vol, years));

-- Per year of calendar time, the forward held fixed.
create or replace macro black76_theta(forward, strike, discount, vol, years, option_type) as
    -ln(discount) / years * black76_price(forward, strike, discount, vol, years, option_type)
    - discount * forward * normal_density(black76_d1(forward, strike, vol, years)) * vol
    / (2.0::double * sqrt(years));

-- Undiscounted price of the straddle struck at the forward, E|S_T - F|, in index points.
create or replace macro expected_move_points(forward, vol, years) as
    case when years > 0 and vol > 0 then
        2.0::double * forward * (
            normal_cdf(0.5::double * vol * sqrt(years)) - normal_cdf(-0.5::double * vol * sqrt(years))
        )
    end;

-- Dollars of index, in millions, to trade per index point for a number of contracts of 100.
create or replace macro gamma_musd_per_point(contracts, gamma, spot) as
    contracts * 100 * gamma * spot / 1e6::double;
