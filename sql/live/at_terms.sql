-- live.at_terms: what surface.terms says of the states that are looked at.
-- grain: that of surface.terms
-- reads: live.states, surface.terms
select kept.*
from surface.terms as kept
semi join live.states using (minute_et)
