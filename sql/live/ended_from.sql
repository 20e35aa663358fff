-- live.ended_from: the earliest instant at which one of the versions that news ended became known;
-- null where news ended none.
-- grain: one row
-- reads: live.ended_keys
select epoch_us(min(visible_at)) as from_us
from live.ended_keys
