-- live.at_quotes: what surface.quotes says of the states that are looked at.
-- grain: that of surface.quotes
-- reads: live.states, surface.quotes
select kept.*
from surface.quotes as kept
semi join live.states using (minute_et)
