-- live.state_instants: the states that orders are matched with.
-- grain: at_ms
-- reads: live.states
select epoch_ms(minute_at) as at_ms
from live.states
order by at_ms
