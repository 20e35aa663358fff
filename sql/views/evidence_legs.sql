-- views.evidence_legs: the contracts of one order.
-- grain: leg_number
-- reads: ledger.legs
select
    leg_number,
    root,
    expiry::varchar as expiry,
    strike,
    option_type,
    ratio,
    contracts,
    customer_sign,
    average_price,
    implied_vol,
    gamma,
    side_probability
from ledger.legs
order by leg_number
