-- live.past_spots: the index of the states before the new ones.
-- grain: minute_et
-- reads: live.new_minutes, surface.spots
select spots.*
from surface.spots as spots
anti join live.new_minutes using (minute_et)
