-- views.missing_minutes: minutes of the session in which nothing was printed.
-- grain: minute_et
-- reads: tape.minutes, tape.prints
select minutes.minute_et
from tape.minutes as minutes
where minutes.minute_at not in (select date_trunc('minute', printed_at) from tape.prints)
order by minutes.minute_et
