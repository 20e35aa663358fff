-- live.new_minutes: the states since the previous one: one, or more to catch up with.
-- grain: minute_at
-- reads: tape.minutes
-- param: since_ms, until_ms
select minute_et, minute_at
from tape.minutes
where minute_at > make_timestamp($since_ms::bigint * 1000)
    and minute_at <= make_timestamp($until_ms::bigint * 1000)
