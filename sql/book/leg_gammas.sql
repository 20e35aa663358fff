-- book.leg_gammas: gamma of every leg at the minute its order printed, or why it has none. Null
-- inside the last half hour, where the model's gamma goes to infinity at the strike and to zero
-- beside it. A strike more than two deviations beyond the quoted ones is not priced either, unless
-- it is so far from the forward (five deviations) that its gamma is nil with any volatility.
-- grain: edition_id, leg_number
-- reads: fold.edition_legs, fold.editions, surface.forwards, surface.implied_vols, surface.smiles
with

legs as (
    select
        legs.edition_id,
        legs.leg_number,
        legs.strike,
        forwards.term_number,
        forwards.spot,
        forwards.forward,
        forwards.discount,
        forwards.years,
        forwards.seconds_left,
        forwards.reason,
    from fold.edition_legs as legs
    join fold.editions as editions using (edition_id)
    left join surface.forwards as forwards
        on forwards.minute_et = editions.minute_et
        and forwards.root = legs.root
        and forwards.expiry = legs.expiry
),

-- a strike whose own price no volatility explains
arbitrages as (
    select distinct term_number, strike
    from surface.implied_vols
    where reason in ('at_or_below_intrinsic', 'at_or_above_cap', 'no_solution')
),

ends as (
    select term_number, min(strike) as lowest_strike, max(strike) as highest_strike
    from surface.smiles
    group by term_number
),

smiled as (
    select
        legs.*,
        sqrt(smile_total_variance(
            log_moneyness(legs.strike, legs.forward),
            smiles.log_moneyness,
            smiles.total_variance,
            smiles.next_log_moneyness,
            smiles.next_total_variance
        ) / legs.years) as smile_vol,
    from legs
    asof left join surface.smiles as smiles
        on legs.term_number = smiles.term_number
        and legs.strike >= smiles.from_strike
),

judged as (
    select
        smiled.*,
        case
            when smiled.seconds_left <= 0 then 'expired'
            when smiled.seconds_left <= 1800 then 'last_half_hour'
            when smiled.spot is null then 'no_spot'
            when smiled.forward is null then 'no_forward'
            when arbitrages.strike is not null then 'arbitrage'
            when smiled.smile_vol is null then 'no_quote'
            when greatest(ends.lowest_strike - smiled.strike, smiled.strike - ends.highest_strike)
                > 2 * smiled.smile_vol * sqrt(smiled.years) * smiled.forward
                and abs(black76_d1(
                    smiled.forward, smiled.strike, smiled.smile_vol, smiled.years
                )) <= 5
                then 'no_quote'
        end as leg_reason,
    from smiled
    left join ends using (term_number)
    left join arbitrages using (term_number, strike)
)

select
    edition_id,
    leg_number,
    spot,
    forward,
    discount,
    years,
    case when leg_reason is null then smile_vol end as implied_vol,
    black76_gamma(spot, forward, strike, discount, implied_vol, years) as gamma,
    seconds_left,
    leg_reason as reason,
from judged
