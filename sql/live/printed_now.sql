-- live.printed_now: the minutes of the prints that became known since the state before.
-- grain: minute_at
-- reads: live.arrivals
select distinct date_trunc('minute', printed_at) as minute_at
from live.arrivals
