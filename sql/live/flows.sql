-- live.flows: the flows of the session so far, summed by contract.
-- grain: root, expiry, strike, option_type
-- reads: live.current_flows
select
    root,
    expiry,
    strike,
    option_type,
    sum(dealer_quantity)::decimal(18, 4) as dealer_quantity,
    exact_square_sum(variance) as variance
from live.current_flows
group by root, expiry, strike, option_type
