-- live.flows: the flows of the session so far, summed by contract.
-- grain: root, expiry, strike, option_type
-- reads: live.current_flows
select
    root,
    expiry,
    strike,
    option_type,
    sum(dealer_quantity)::decimal(18, 4) as dealer_quantity,
    exact_square_sum(variance) as variance,
    sum(balance_quantity)::decimal(18, 4) as balance_quantity,
    sum(rate_quantity)::decimal(18, 4) as rate_quantity,
    sum(lean)::decimal(18, 4) as lean,
    sum(lean_square)::decimal(18, 4) as lean_square
from live.current_flows
group by root, expiry, strike, option_type
