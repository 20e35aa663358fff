-- views.newest_quote: when the newest quote of a session without prints became known, in ET.
-- grain: one row
-- reads: tape.quotes, tape.session
select strftime(timezone('America/New_York', timezone('UTC', max(quotes.known_at))), '%H:%M:%S')
    as asof_et
from tape.quotes as quotes
inner join tape.session as session on quotes.known_at < session.known_until
