-- live.this_minute: the newest state.
-- grain: minute_at
-- reads: tape.minutes
-- param: until_ms
select minute_et, minute_at
from tape.minutes
where minute_at = make_timestamp($until_ms::bigint * 1000)
