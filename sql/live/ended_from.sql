-- live.ended_from: the earliest instant at which a version that was now superseded became known;
-- null where none was.
-- grain: one row
-- reads: live.ended_keys
select epoch_us(min(visible_at)) as from_us
from live.ended_keys
