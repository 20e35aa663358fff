-- live.zones_from: where the first stretch of the session begins that is folded again.
-- grain: one row
-- reads: live.zones
select min(from_us) as from_us
from live.zones
