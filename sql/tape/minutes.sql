-- tape.minutes: the state minutes of the session, by the calendar.
-- grain: minute_et
-- reads:
-- param: minutes
select unnest.minute as minute_et, make_timestamp(unnest.at_ms * 1000) as minute_at
from unnest(from_json($minutes, '[{"minute": "varchar", "at_ms": "bigint"}]'))
order by minute_at
