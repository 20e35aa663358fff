-- fold.legs: the legs of every order in canonical order: expiry, strike, C before P.
-- grain: order_id, leg_number
-- reads: fold.contracts, fold.order_legs, fold.order_patterns, fold.order_signs, fold.order_totals
select
    legs.parent_id,
    totals.order_id,
    totals.first_sequence,
    legs.leg_number,
    contracts.root,
    contracts.expiry,
    contracts.strike,
    contracts.option_type,
    legs.ratio,
    legs.contracts::integer as contracts,
    legs.cash_cents::double as premium_usd,
    legs.cash_cents / (100.0::double * legs.contracts) as average_price,
    case when totals.leg_count = 1 then 1 else patterns.signs[legs.leg_number] end
        as package_sign,
    case
        when signs.sign = 0 then 0
        when totals.leg_count = 1 then signs.sign
        else signs.sign * patterns.signs[legs.leg_number]
    end as customer_sign,
    case when signs.side_reason is distinct from 'stale_quotes' then legs.quoted_side end
        as own_quote_sign
from fold.order_legs as legs
inner join fold.contracts as contracts using (contract_number)
inner join fold.order_totals as totals using (parent_id)
inner join fold.order_signs as signs using (parent_id)
left join fold.order_patterns as patterns using (parent_id)
