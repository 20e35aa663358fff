-- ledger.order_gammas: dealer gamma an order added, or the reason why it is not known.
-- grain: edition_id
-- reads: book.leg_gammas, fold.edition_legs, fold.editions
with

leg_effects as (
    select
        legs.edition_id,
        legs.expiry,
        legs.contracts,
        leg_gammas.gamma,
        -- of several reasons the first of these is reported
        nullif(
            list_position(
                ['expired', 'last_half_hour', 'no_spot', 'no_forward', 'no_quote', 'arbitrage'],
                leg_gammas.reason
            ),
            0
        ) as reason_rank,
        -- the dealer holds the other side of every contract the customer traded
        -legs.customer_sign * legs.contracts * 100 * leg_gammas.gamma * leg_gammas.spot / 1e6
            as dealer_gamma
    from fold.edition_legs as legs
    inner join book.leg_gammas as leg_gammas using (edition_id, leg_number)
),

by_order as (
    select
        edition_id,
        case when count(*) = count(dealer_gamma) then exact_sum(dealer_gamma) end as dealer_gamma,
        min(expiry) as first_expiry,
        max(expiry) as last_expiry,
        ['expired', 'last_half_hour', 'no_spot', 'no_forward', 'no_quote', 'arbitrage'][
            min(reason_rank)
        ] as price_reason
    from leg_effects
    group by edition_id
),

expiry_weights as (
    select
        edition_id,
        expiry,
        case when count(*) = count(gamma) then exact_sum(contracts * gamma) end as weight
    from leg_effects
    where edition_id in (select edition_id from by_order where first_expiry < last_expiry)
    group by edition_id, expiry
),

heaviest as (
    select
        edition_id,
        case when count(*) = count(weight) then arg_max(expiry, (weight, -epoch(expiry))) end
            as heaviest_expiry
    from expiry_weights
    group by edition_id
)

select
    orders.edition_id,
    case when orders.sign <> 0 then by_order.dealer_gamma end as dealer_gamma_musd_per_point,
    case
        when orders.sign = 0 then 'no_side'
        when by_order.dealer_gamma is null then by_order.price_reason
    end as gamma_null_reason,
    case
        when by_order.first_expiry = by_order.last_expiry then by_order.first_expiry
        else heaviest.heaviest_expiry
    end as main_expiry
from fold.editions as orders
inner join by_order using (edition_id)
left join heaviest using (edition_id)
