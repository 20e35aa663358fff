-- book.leg_sides: what each leg of an order adds to the dealers' position on average, in contracts,
-- and the variance of that: an order read right with probability p adds 2p - 1 of its contracts,
-- with variance 4p(1 - p); one without a decided side adds nothing, with a variance of one contract
-- squared for each. Crosses have customers on both sides and add nothing for certain. Two errors are
-- shared by many orders: balance_quantity is how far one logit more of buyers would move the position,
-- rate_quantity how far one deviation of the rates of sides would. lean, 2p - 1, says of the first
-- leg alone how the order leans.
-- grain: edition_id, leg_number
-- reads: fold.edition_legs, fold.editions
with

counts as (
    select edition_id, count(*) as leg_count from fold.edition_legs group by edition_id
),

sided as (
    select
        legs.*,
        coalesce(editions.side_reason = 'cross', false) as is_cross,
        editions.visible_at,
        editions.superseded_at,
        counts.leg_count,
        bought_share(editions.side_probability, editions.sign) as bought_share,
        if(editions.sign < 0, 1 - bought_share, bought_share) as right_share,
        -- an older version did not say how sure its rates were
        coalesce(editions.side_deviation, sign(editions.sign) * rate_deviation()) as side_deviation,
        -- how far a logit of the order moves the contracts of a leg
        case
            when is_cross or legs.package_sign is null then 0
            else -2 * legs.package_sign * legs.contracts * bought_share * (1 - bought_share)
        end as logit_quantity,
        if(is_cross or legs.leg_number > 1, 0, 2 * editions.side_probability - 1) as lean
    from fold.edition_legs as legs
    inner join fold.editions as editions using (edition_id)
    inner join counts using (edition_id)
)

select
    edition_id,
    leg_number,
    root,
    expiry,
    strike,
    option_type,
    contracts,
    leg_count,
    customer_sign,
    package_sign,
    is_cross,
    visible_at,
    superseded_at,
    whole_contracts(-customer_sign * contracts * (2 * right_share - 1)) as dealer_quantity,
    case
        when is_cross then 0
        when customer_sign = 0 then 1
        else 4 * right_share * (1 - right_share)
    end::double as side_variance,
    whole_contracts(logit_quantity) as balance_quantity,
    whole_contracts(logit_quantity * side_deviation) as rate_quantity,
    whole_contracts(coalesce(lean, 0)) as lean,
    whole_contracts(coalesce(square(lean), 0)) as lean_square
from sided
