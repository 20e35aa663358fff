-- book.positions: the gamma of every live strike of the book at each minute, and how it moves.
-- Strikes without a forward or a smile at that minute are not here: book.gammas counts them. A
-- strike without inventory enters with its first order. Expired contracts have left. The last half
-- hour stays: the model still holds for a whole book.
-- grain: minute_at, pair_number
-- reads: book.expiry_buckets, book.pair_flows, book.smile_pairs, surface.forwards, surface.smiles, tape.minutes
with

forwards as (
    select forwards.*, spot / scan_point(spot) as spot_steps
    from surface.forwards as forwards
    semi join tape.minutes using (minute_et)
    where forwards.forward is not null and forwards.years > 0
),

live as (
    select
        forwards.minute_at,
        pairs.pair_number,
        forwards.expiry,
        forwards.minute_at >= pairs.held_from as is_held,
        forwards.spot,
        forwards.spot_steps,
        forwards.forward,
        forwards.discount,
        log_moneyness(pairs.strike, forwards.forward) as log_strike,
        smiles.log_moneyness,
        smiles.total_variance,
        smiles.next_log_moneyness,
        smiles.next_total_variance
    from surface.smiles as smiles
    inner join forwards using (term_number)
    inner join book.smile_pairs as pairs
        on pairs.root = forwards.root
        and pairs.expiry = forwards.expiry
        and pairs.from_strike = smiles.from_strike
        and pairs.to_strike = smiles.to_strike
),

priced as (
    select
        *,
        sqrt(smile_total_variance(
            log_strike, log_moneyness, total_variance, next_log_moneyness, next_total_variance
        )) as deviation
    from live
)

select
    priced.minute_at,
    priced.pair_number,
    coalesce(buckets.bucket, 'later') as bucket,
    coalesce(buckets.is_monthly, false) as is_monthly,
    priced.deviation,
    -- width of its bell on the scan
    priced.deviation * priced.spot_steps as width_steps,
    -priced.log_strike / priced.deviation + 0.5::double * priced.deviation as d1,
    gamma_peak_musd(priced.spot, priced.forward, priced.discount, priced.deviation) as peak_musd,
    -- null before the first order
    flows.call_flow,
    flows.put_flow,
    flows.call_variance,
    flows.put_variance
from priced
left join book.expiry_buckets as buckets
    on buckets.minute_at = priced.minute_at and buckets.expiry = priced.expiry
left join book.pair_flows as flows
    on flows.minute_at = priced.minute_at and flows.pair_number = priced.pair_number
where priced.is_held or flows.call_flow is not null
