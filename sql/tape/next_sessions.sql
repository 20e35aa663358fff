-- tape.next_sessions: the session and those that follow it, by the calendar.
-- grain: dte
-- reads:
-- param: dates
select (row_number() over (order by unnest))::integer - 1 as dte, unnest as expiry
from unnest(from_json($dates, '["date"]'))
order by dte
