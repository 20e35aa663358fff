-- measure.surface_quotes: error of forward, volatility and gamma read from a quote of one session,
-- against those the simulated market was made with. Strikes of up to three deviations from the
-- forward: beyond them gamma is next to nothing, its share of error is not.
-- grain: minute_at, root, expiry, strike
-- reads: measure.truth_surface, surface.forwards, surface.implied_vols
with

marked as (
    select
        vols.strike,
        vols.implied_vol,
        black76_gamma(
            forwards.spot, forwards.forward, vols.strike, forwards.discount, vols.implied_vol,
            forwards.years
        ) as gamma,
        forwards.forward,
        forwards.years,
        truth.spot,
        truth.forward as true_forward,
        truth.discount as true_discount,
        truth.total_variance as theta,
        truth.rho,
        log_moneyness(vols.strike, truth.forward) as log_strike,
        truth.eta / sqrt(truth.total_variance * (1 + truth.total_variance)) * log_strike as tilt
    from surface.implied_vols as vols
    inner join surface.forwards as forwards using (term_number)
    inner join measure.truth_surface as truth
        on truth.minute_at = forwards.minute_at
        and truth.root = forwards.root
        and truth.expiry = forwards.expiry
    -- the last half hour has no gamma in the ledger either
    where vols.implied_vol is not null and not is_last_half_hour(forwards.seconds_left)
),

-- surface SVI: Gatheral and Jacquier, Quantitative Finance 14, 2014, 59-71
varied as (
    select
        *,
        sqrt(
            0.5::double * theta
            * (1 + rho * tilt + sqrt((tilt + rho) * (tilt + rho) + 1 - rho * rho)) / years
        ) as true_vol
    from marked
)

select
    case
        when years <= 1 / 365.0 then 'today'
        when years <= 7 / 365.0 then 'a week'
        when years <= 31 / 365.0 then 'a month'
        else 'longer'
    end as expires_within,
    years,
    abs(forward - true_forward) as forward_error,
    abs(implied_vol - true_vol) as vol_error,
    abs(gamma / black76_gamma(
        spot, true_forward, strike, true_discount, true_vol, years
    ) - 1) as gamma_error
from varied
where abs(log_strike) <= 3 * true_vol * sqrt(years)
