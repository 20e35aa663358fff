-- live.flows: the flows of the session so far, each contract summed.
-- grain: root, expiry, strike, option_type
-- reads: live.flows_now
select
    root,
    expiry,
    strike,
    option_type,
    sum(dealer_quantity)::bigint as dealer_quantity
from live.flows_now
group by root, expiry, strike, option_type
