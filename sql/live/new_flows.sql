-- live.new_flows: the flows of the book that became known since the previous state.
-- grain: root, expiry, strike, option_type, minute_at
-- reads: live.step, live.step_flows
select flows.*
from live.step_flows as flows
cross join live.step as step
where flows.minute_at > step.previous_state_at and flows.minute_at <= step.current_state_at
