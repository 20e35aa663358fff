-- live.at_spots: what surface.spots says of the states that are looked at.
-- grain: that of surface.spots
-- reads: live.states, surface.spots
select kept.*
from surface.spots as kept
semi join live.states using (minute_et)
