-- measure.true_smiles: surface.smiles as the simulated market really was, at every listed strike.
-- grain: term_number, strike
-- reads: measure.truth_book, surface.forwards
with

strikes as (select distinct root, expiry, strike from measure.truth_book),

tilted as (
    select
        forwards.term_number,
        forwards.total_variance as theta,
        forwards.rho,
        strikes.strike,
        log_moneyness(strikes.strike, forwards.forward) as log_moneyness,
        forwards.eta / sqrt(theta * (1 + theta)) * log_moneyness as tilt
    from surface.forwards as forwards
    inner join strikes using (root, expiry)
),

-- surface SVI: Gatheral and Jacquier, Quantitative Finance 14, 2014, 59-71
varied as (
    select
        *,
        0.5::double * theta * (1 + rho * tilt + sqrt((tilt + rho) * (tilt + rho) + 1 - rho * rho))
            as total_variance
    from tilted
)

select
    term_number,
    strike,
    strike as from_strike,
    lead(strike, 1, 'infinity'::double) over by_strike as to_strike,
    log_moneyness,
    total_variance,
    null::double as next_log_moneyness,
    null::double as next_total_variance
from varied
window by_strike as (partition by term_number order by strike)
