-- live.past_bases: the bases of the states before the new ones, from which the first basis of a
-- contract is found.
-- grain: minute_et, contract
-- reads: live.new_minutes, surface.bases
select bases.*
from surface.bases as bases
anti join live.new_minutes using (minute_et)
