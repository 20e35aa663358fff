-- book.positions: the gamma of every live strike of the book at each minute, and how it moves.
-- Strikes without a forward or a smile at that minute are not here: book.gammas counts them. A
-- strike without inventory enters with its first order. Expired contracts have left. The last half
-- hour stays: the model still holds for a whole book.
-- grain: minute_at, pair_number
-- reads: book.pair_flows, book.pairs, surface.forwards, surface.smiles
with

live as (
    select
        forwards.minute_et,
        forwards.minute_at,
        pairs.pair_number,
        forwards.root,
        forwards.expiry,
        pairs.strike,
        forwards.spot,
        forwards.forward,
        forwards.discount,
        forwards.years,
    from surface.forwards as forwards
    join book.pairs as pairs using (root, expiry)
    left join book.pair_flows as flows
        on flows.minute_at = forwards.minute_at and flows.pair_number = pairs.pair_number
    where forwards.forward is not null
        and forwards.years > 0
        and (pairs.has_inventory or flows.pair_number is not null)
),

priced as (
    select
        live.*,
        sqrt(smile_total_variance(
            log_moneyness(live.strike, live.forward),
            smiles.log_moneyness,
            smiles.total_variance,
            smiles.next_log_moneyness,
            smiles.next_total_variance
        )) as deviation,
    from live
    asof join surface.smiles as smiles
        on live.minute_et = smiles.minute_et
        and live.root = smiles.root
        and live.expiry = smiles.expiry
        and live.strike >= smiles.from_strike
)

select
    minute_at,
    pair_number,
    spot,
    deviation / sqrt(years) as implied_vol,
    deviation,
    log_moneyness(forward, strike) / deviation + 0.5::double * deviation as d1,
    gamma_peak_musd(spot, forward, discount, deviation) as peak_musd,
from priced
