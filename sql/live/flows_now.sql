-- live.flows_now: the flows of the book as its newest states take them: what came before them is
-- that of the first.
-- grain: any
-- reads: live.flows, live.new_flows, live.new_minutes
select
    flows.root,
    flows.expiry,
    flows.strike,
    flows.option_type,
    (select min(minute_at) from live.new_minutes) as minute_at,
    flows.dealer_quantity
from live.flows as flows
union all
from live.new_flows
