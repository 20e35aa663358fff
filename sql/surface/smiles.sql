-- surface.smiles: the quoted points of each smile, each with its next one: a segment of the curve.
-- The volatility of any strike is one look back and one macro:
--   asof join surface.smiles on term_number and strike >= from_strike,
--   smile_total_variance(log_moneyness(strike, forward), log_moneyness, total_variance, next_…).
-- grain: term_number, strike
-- reads: surface.forwards, surface.implied_vols
with

points as (
    select
        vols.term_number,
        vols.strike,
        log_moneyness(vols.strike, forwards.forward) as log_moneyness,
        vols.implied_vol * vols.implied_vol * forwards.years as total_variance
    from surface.implied_vols as vols
    inner join surface.forwards as forwards using (term_number)
    where vols.implied_vol is not null
)

select
    term_number,
    strike,
    -- the first segment reaches down to zero, so that a look back always finds one
    case when lag(strike) over by_strike is null then 0.0::double else strike end as from_strike,
    lead(strike, 1, 'infinity'::double) over by_strike as to_strike,
    log_moneyness,
    total_variance,
    lead(log_moneyness) over by_strike as next_log_moneyness,
    lead(total_variance) over by_strike as next_total_variance
from points
window by_strike as (partition by term_number order by strike)
