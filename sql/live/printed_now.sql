-- live.printed_now: the minutes of the prints of the session's product that became known since the
-- state before, and when the first of each did.
-- grain: minute_at
-- reads: live.arrivals, tape.session
select
    date_trunc('minute', arrivals.printed_at) as minute_at,
    min(arrivals.known_at) as known_at
from live.arrivals as arrivals
cross join tape.session as session
where symbol_of(arrivals.root) = session.symbol
group by minute_at
