-- book.bar_strikes: the gamma of every strike that is in the book or in doubt, at the minutes that
-- price the doubts, and how far its volatility may be off: the true price lies anywhere between bid
-- and ask, so that the volatility is off by half of the spread over the square root of 3 and vega.
-- grain: state_at, root, expiry, strike
-- reads: book.bar_states, book.doubts, book.pairs, surface.forwards, surface.quotes, surface.smiles
with

states as (select distinct state_at, state_et from book.bar_states),

strikes as (
    select root, expiry, strike from book.doubts
    union
    select root, expiry, strike from book.pairs
),

live as (
    select
        states.state_at,
        forwards.minute_et,
        forwards.root,
        forwards.expiry,
        strikes.strike,
        forwards.spot,
        forwards.forward,
        forwards.discount,
    from states
    join surface.forwards as forwards on forwards.minute_at = states.state_at
    join strikes using (root, expiry)
    where forwards.forward is not null and forwards.years > 0
),

smiles as (
    select
        smiles.*,
        forwards.discount * forwards.forward as vega_scale,
        0.5::double * (quotes.best_ask - quotes.best_bid) as half_spread,
    from surface.smiles as smiles
    join states on states.state_et = smiles.minute_et
    join surface.forwards as forwards using (minute_et, root, expiry)
    left join surface.quotes as quotes
        on quotes.minute_et = smiles.minute_et
        and quotes.root = smiles.root
        and quotes.expiry = smiles.expiry
        and quotes.strike = smiles.strike
        and quotes.option_type = case when smiles.strike < forwards.forward then 'P' else 'C' end
),

priced as (
    select
        live.*,
        smiles.half_spread,
        smiles.vega_scale,
        sqrt(smile_total_variance(
            log_moneyness(live.strike, live.forward),
            smiles.log_moneyness,
            smiles.total_variance,
            smiles.next_log_moneyness,
            smiles.next_total_variance
        )) as deviation,
        log_moneyness(live.forward, live.strike) / deviation + 0.5::double * deviation as d1,
    from live
    asof join smiles
        on live.minute_et = smiles.minute_et
        and live.root = smiles.root
        and live.expiry = smiles.expiry
        and live.strike >= smiles.from_strike
)

select
    state_at,
    root,
    expiry,
    strike,
    spot,
    deviation,
    d1,
    gamma_peak_musd(spot, forward, discount, deviation) as peak_musd,
    least(
        1.0::double,
        coalesce(half_spread, 0)
        / (sqrt(3.0::double) * vega_scale * normal_density(d1) * deviation)
    ) as volatility_error,
from priced
