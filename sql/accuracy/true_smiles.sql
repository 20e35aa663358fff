-- accuracy.true_smiles: surface.smiles as the simulated market really was, at every listed strike.
-- grain: minute_et, root, expiry, strike
-- reads: accuracy.truth_book, surface.forwards
with

strikes as (select distinct root, expiry, strike from accuracy.truth_book),

tilted as (
    select
        forwards.minute_et,
        forwards.root,
        forwards.expiry,
        forwards.years,
        forwards.total_variance as theta,
        forwards.rho,
        strikes.strike,
        log_moneyness(strikes.strike, forwards.forward) as log_moneyness,
        forwards.eta / sqrt(theta * (1 + theta)) * log_moneyness as tilt,
    from surface.forwards as forwards
    join strikes using (root, expiry)
),

-- surface SVI: Gatheral and Jacquier, Quantitative Finance 14, 2014, 59-71
varied as (
    select
        *,
        0.5::double * theta * (1 + rho * tilt + sqrt((tilt + rho) * (tilt + rho) + 1 - rho * rho))
            as total_variance,
    from tilted
)

select
    minute_et,
    root,
    expiry,
    strike,
    strike as from_strike,
    years,
    log_moneyness,
    sqrt(total_variance / years) as implied_vol,
    total_variance,
    null::double as next_log_moneyness,
    null::double as next_total_variance,
from varied
