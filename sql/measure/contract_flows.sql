-- measure.contract_flows: what the session added to the dealer book by contract, as published and in
-- truth.
-- grain: root, expiry, strike, option_type
-- reads: measure.published_flows, measure.true_flows
-- param: seed
select
    $seed::integer as seed,
    root,
    expiry,
    strike,
    option_type,
    coalesce(published.dealer_quantity, 0) as published_quantity,
    coalesce(truth.dealer_quantity, 0) as true_quantity
from measure.published_flows as published
full join measure.true_flows as truth using (root, expiry, strike, option_type)
