-- live.at_forwards: the rows of surface.forwards for the states in live.states.
-- grain: that of surface.forwards
-- reads: live.states, surface.forwards
select forwards.*
from surface.forwards as forwards
semi join live.states using (minute_et)
