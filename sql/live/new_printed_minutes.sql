-- live.new_printed_minutes: the minutes of the new prints of the session's product, and the instant
-- at which the first print of each became known.
-- grain: minute_at
-- reads: live.arrivals, tape.session
select
    date_trunc('minute', arrivals.printed_at) as minute_at,
    min(arrivals.known_at) as known_at
from live.arrivals as arrivals
cross join tape.session as session
where symbol_of(arrivals.root) = session.symbol
group by minute_at
