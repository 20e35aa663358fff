-- Number of the last listed strike at or below a strike; 1 where all are above.
create or replace macro listed_place(wanted, strikes) as
    greatest(1, len(list_filter(strikes, listed -> listed <= wanted)));

-- Total variance at a strike from a smile kept as two lists, strikes rising, at its listed place:
-- linear in log-moneyness between two strikes, flat outside. Null where the smile has no point.
create or replace macro listed_total_variance(strike, forward, place, strikes, variances) as
    smile_total_variance(
        log_moneyness(strike, forward),
        log_moneyness(strikes[place], forward),
        variances[place],
        log_moneyness(strikes[place + 1], forward),
        variances[place + 1]
    );

-- By how much strikes move that were set when the index stood elsewhere, so that they keep their
-- distance: whole steps of 5 points, which strikes of today are apart, a half step going up. Strikes
-- set for the session itself, without another index, stay.
create or replace macro strike_shift(spot, base_spot) as
    case when base_spot is null then 0 else 5 * floor((spot - base_spot) / 5 + 0.5::double) end;

-- 1 where a side is short and no wall stands between the index and its strike, bounds included; 0
-- where it is not short. Null where the wall or the index is unknown.
create or replace macro missing_wall(short_strike, wall, low, high) as
    case
        when short_strike is null then 0
        when wall between low and high then 0
        when wall is not null and low is not null and high is not null then 1
    end;

-- A condition's value with the reason that stands beside it where nobody can know it.
create or replace macro condition_value(condition_id, known_value, unknown_reason) as
    {
        'id': condition_id,
        'value': known_value::double,
        'reason': case when known_value is null then unknown_reason::varchar end
    };

-- normal_cdf(d), given |d| / sqrt(2) and its place (x - 3.75) / (x + 3.75): the same polynomial, for
-- a few rows at a time, where not the arithmetic costs but the length of the expression.
create or replace macro placed_cdf(d, x, place) as
    case when d < 0 then 0.0::double else 1.0::double end
    - case when d < 0 then -0.5::double else 0.5::double end
        * exp(-0.5::double * d * d) * erfcx_polynomial(place) / (1.0::double + 2.0::double * x);
