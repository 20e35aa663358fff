-- live.carried: true while the new states may use the quotes and the index that prints carry: until
-- the tape has its own, as in surface.quotes and surface.spots.
-- grain: one row
-- reads: live.state_quotes, live.state_spots, live.step
select
    coalesce((select min(known_at) from live.state_quotes), 'infinity') >= since_at
    or coalesce((select min(known_at) from live.state_spots), 'infinity') >= since_at as is_used
from live.step
