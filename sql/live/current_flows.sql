-- live.current_flows: the flows of the book as the newest states count them: earlier flows count
-- from the first of these states.
-- grain: any
-- reads: live.flows, live.new_flows, live.new_minutes
select
    flows.root,
    flows.expiry,
    flows.strike,
    flows.option_type,
    (select min(minute_at) from live.new_minutes) as minute_at,
    flows.dealer_quantity,
    flows.variance,
    flows.balance_quantity,
    flows.rate_quantity,
    flows.lean,
    flows.lean_square
from live.flows as flows
union all
from live.new_flows
