-- surface.near_terms: the PM expiries of the session and of the next five, at each minute up to the
-- PM close from which on there was known to be one. Of two roots with one expiry the first counts.
-- grain: minute_et, expiry
-- reads: surface.forwards, tape.expiries, tape.minutes, tape.next_sessions, tape.session
with

listed as (
    select minutes.minute_et, days.dte, expiries.expiry, min(expiries.root) as root
    from tape.minutes as minutes
    cross join tape.session as session
    inner join tape.expiries as expiries on expiries.known_at < minutes.minute_at
    inner join tape.next_sessions as days using (expiry)
    where expiries.settlement = 'PM'
        and minutes.minute_at <= session.pm_expires_at
    group by minutes.minute_et, days.dte, expiries.expiry
)

select
    forwards.term_number,
    listed.minute_et,
    forwards.minute_at,
    listed.expiry,
    listed.dte,
    listed.root,
    forwards.seconds_left,
    forwards.spot,
    forwards.forward,
    forwards.discount,
    forwards.reason
from listed
inner join surface.forwards as forwards using (minute_et, root, expiry)
