-- Number of the last listed strike at or below a strike; 1 where all are above.
create or replace macro listed_number(wanted, strikes) as
    greatest(1, len(list_filter(strikes, listed -> listed <= wanted)));

-- Total variance at a strike from a smile stored as two lists, strikes rising, at its listed
-- number: linear in log-moneyness between two strikes, flat outside. Null where the smile has no
-- point.
create or replace macro listed_total_variance(strike, forward, low_number, strikes, variances) as
    smile_total_variance(
        log_moneyness(strike, forward),
        log_moneyness(strikes[low_number], forward),
        variances[low_number],
        log_moneyness(strikes[low_number + 1], forward),
        variances[low_number + 1]
    );

-- Shift of strikes that were set at another value of the index, which preserves their distance:
-- whole steps of 5 points, the grid of today's strikes, half steps rounded up. Strikes set for the
-- session itself, without another index, stay.
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

-- A condition's value, with the reason where it is unknowable.
create or replace macro condition_value(condition_id, known_value, unknown_reason) as
    {
        'id': condition_id,
        'value': known_value::double,
        'reason': case when known_value is null then unknown_reason::varchar end
    };

-- normal_cdf(d), given x = |d| / sqrt(2) and scaled_x = (x - 3.75) / (x + 3.75): the same
-- polynomial, for a few rows at a time, where the length of the expression costs, not the
-- arithmetic.
create or replace macro tail_cdf(d, x, scaled_x) as
    case when d < 0 then 0.0::double else 1.0::double end
    - case when d < 0 then -0.5::double else 0.5::double end
        * exp(-0.5::double * d * d) * erfcx_polynomial(scaled_x) / (1.0::double + 2.0::double * x);
