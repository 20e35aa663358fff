-- live.silent_minutes: minutes of the session so far without a print.
-- grain: minute_et
-- reads: live.printed, tape.minutes
-- param: until_ms
select minute_et
from tape.minutes
anti join live.printed using (minute_at)
where minute_at < make_timestamp($until_ms::bigint * 1000)
order by minute_et
