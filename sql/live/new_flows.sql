-- live.new_flows: what became known since the state before of the flows of the book.
-- grain: root, expiry, strike, option_type, minute_at
-- reads: live.step, live.step_flows
select flows.*
from live.step_flows as flows
cross join live.step as step
where flows.minute_at > step.told_at and flows.minute_at <= step.tells_at
