-- live.at_forwards: what surface.forwards says of the states that are looked at.
-- grain: that of surface.forwards
-- reads: live.states, surface.forwards
select kept.*
from surface.forwards as kept
semi join live.states using (minute_et)
