-- import.wall_offsets: offset of New York's wall time from UTC at the noon of each day.
-- grain: day
-- reads:
-- param: days
select unnest.day, to_microseconds(unnest.offset_ms * 1000) as wall_offset
from unnest(from_json($days, '[{"day": "date", "offset_ms": "bigint"}]'))
