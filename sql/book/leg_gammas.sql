-- book.leg_gammas: gamma and delta of every leg at the minute its order printed, or the reason why it
-- has no gamma. Gamma is null within the last half hour, where the model's goes to infinity at the
-- strike and to zero around it; delta, which stays between its bounds, is not. A strike more than two
-- deviations beyond the quoted ones is not priced either, unless it is so far from the forward (five
-- deviations) that its gamma is nil with any volatility. Its delta then is that of an option which
-- certainly expires worthless, or in the money; delta_error and gamma_error are the most that it and
-- gamma may be off, those of the last strike that is quoted.
-- grain: edition_id, leg_number
-- reads: fold.edition_legs, fold.editions, surface.forwards, surface.implied_vols, surface.smiles
with

legs as materialized (
    select
        legs.edition_id,
        legs.leg_number,
        legs.strike,
        legs.option_type,
        forwards.term_number
    from fold.edition_legs as legs
    inner join fold.editions as editions using (edition_id)
    left join surface.forwards as forwards
        on forwards.minute_et = editions.minute_et
        and forwards.root = legs.root
        and forwards.expiry = legs.expiry
),

points as materialized (
    select distinct term_number, strike from legs where term_number is not null
),

-- almost all of them are strikes of the smile itself, and an asof join sorts all its input: a smile
-- is read whole only where a point lies between its strikes
whole_smiles as (
    select distinct term_number
    from points
    anti join surface.smiles as smiles
        on smiles.term_number = points.term_number and smiles.from_strike = points.strike
),

smiles as materialized (
    select smiles.*
    from surface.smiles as smiles
    semi join points
        on points.term_number = smiles.term_number and points.strike = smiles.from_strike
    anti join whole_smiles on whole_smiles.term_number = smiles.term_number
    union all
    select smiles.* from surface.smiles as smiles semi join whole_smiles using (term_number)
),

-- a strike whose own price no volatility explains
arbitrages as (
    select distinct term_number, strike
    from surface.implied_vols
    where reason in ('at_or_below_intrinsic', 'at_or_above_cap', 'no_solution')
),

-- of a smile that is not read as a whole they hold all of its points
ends as (
    select term_number, min(strike) as lowest_strike, max(strike) as highest_strike
    from smiles
    group by term_number
),

smiled as (
    select
        points.term_number,
        points.strike,
        forwards.spot,
        forwards.forward,
        forwards.discount,
        forwards.years,
        forwards.seconds_left,
        sqrt(smile_total_variance(
            log_moneyness(points.strike, forwards.forward),
            smiles.log_moneyness,
            smiles.total_variance,
            smiles.next_log_moneyness,
            smiles.next_total_variance
        ) / forwards.years) as smile_vol
    from points
    inner join surface.forwards as forwards using (term_number)
    asof left join smiles
        on points.term_number = smiles.term_number
        and points.strike >= smiles.from_strike
),

judged as (
    select
        smiled.*,
        if(smiled.strike > ends.highest_strike, ends.highest_strike, ends.lowest_strike)
            as end_strike,
        case
            when smiled.seconds_left <= 0 then 'expired'
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
        end as price_reason,
        price_reason = 'no_quote' and smiled.smile_vol is not null as is_beyond
    from smiled
    left join ends using (term_number)
    left join arbitrages using (term_number, strike)
),

-- reason and volatility in steps of their own: the engine computes a case again wherever it is used
reasoned as (
    select
        *,
        case
            when is_last_half_hour(seconds_left) then 'last_half_hour'
            else price_reason
        end as leg_reason
    from judged
),

volatile as (
    select *, case when leg_reason is null then smile_vol end as implied_vol
    from reasoned
),

greeks as (
    select
        *,
        black76_gamma(spot, forward, strike, discount, implied_vol, years) as gamma,
        black76_carry(spot, forward, discount) as carry,
        black76_delta(
            spot, forward, if(is_beyond, end_strike, strike), discount, smile_vol, years, 'C'
        ) as smile_delta
    from volatile
),

priced as (
    select
        *,
        case
            when is_beyond then if(strike > end_strike, 0, carry)
            when price_reason is null then smile_delta
        end as call_delta,
        abs(smile_delta - call_delta) as delta_error,
        case
            when is_beyond and leg_reason = 'no_quote'
                then black76_gamma(spot, forward, end_strike, discount, smile_vol, years)
            when gamma is not null then 0
        end as gamma_error
    from greeks
)

select
    legs.edition_id,
    legs.leg_number,
    priced.spot,
    priced.forward,
    priced.discount,
    priced.years,
    priced.implied_vol,
    priced.gamma,
    case legs.option_type
        when 'C' then priced.call_delta
        else priced.call_delta - priced.carry
    end as delta,
    priced.delta_error,
    priced.gamma_error,
    priced.seconds_left,
    -- a leg without a forward's row has no index either
    case when legs.term_number is null then 'no_spot' else priced.leg_reason end as reason
from legs
left join priced using (term_number, strike)
