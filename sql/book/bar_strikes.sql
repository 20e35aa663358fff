-- book.bar_strikes: the gamma of every strike that is in the book or in doubt, at the minutes that
-- price the doubts, and how far its volatility may be off: the true price lies anywhere between bid
-- and ask, so that the volatility is off by half of the spread over the square root of 3 and vega.
-- grain: state_at, pair_number
-- reads: book.bar_states, book.pairs, surface.forwards, surface.quotes, surface.smiles
with

states as (select distinct state_at, state_et as minute_et from book.bar_states),

forwards as (
    select states.state_at, forwards.*
    from surface.forwards as forwards
    join states using (minute_et)
    where forwards.forward is not null and forwards.years > 0
),

live as (
    select
        forwards.state_at,
        forwards.term_number,
        forwards.spot,
        forwards.forward,
        forwards.discount,
        pairs.pair_number,
        pairs.strike,
    from forwards
    join book.pairs as pairs using (root, expiry)
    where pairs.enters_at is null or forwards.state_at >= pairs.enters_at
),

-- a join sorts or hashes all that it reads: only these minutes
smiles as materialized (
    select smiles.* from surface.smiles as smiles semi join forwards using (term_number)
),

quotes as materialized (
    select quotes.* from surface.quotes as quotes semi join forwards using (term_number)
),

points as (
    select
        smiles.*,
        forwards.discount * forwards.forward as vega_scale,
        0.5::double * if(
            smiles.strike < forwards.forward,
            quotes.put_ask - quotes.put_bid,
            quotes.call_ask - quotes.call_bid
        ) as half_spread,
    from smiles
    join forwards using (term_number)
    left join quotes
        on quotes.term_number = smiles.term_number
        and quotes.strike = smiles.strike
),

priced as (
    select
        live.*,
        points.half_spread,
        points.vega_scale,
        sqrt(smile_total_variance(
            log_moneyness(live.strike, live.forward),
            points.log_moneyness,
            points.total_variance,
            points.next_log_moneyness,
            points.next_total_variance
        )) as deviation,
        log_moneyness(live.forward, live.strike) / deviation + 0.5::double * deviation as d1,
    from live
    asof join points
        on live.term_number = points.term_number
        and live.strike >= points.from_strike
)

select
    state_at,
    pair_number,
    deviation,
    d1,
    gamma_peak_musd(spot, forward, discount, deviation) as peak_musd,
    least(
        1.0::double,
        coalesce(half_spread, 0)
        / (sqrt(3.0::double) * vega_scale * normal_density(d1) * deviation)
    ) as volatility_error,
from priced
