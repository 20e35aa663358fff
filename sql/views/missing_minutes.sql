-- views.missing_minutes: minutes of the session in which nothing was printed.
-- grain: minute_et
-- reads: tape.minutes, tape.prints
select minutes.minute_et
from tape.minutes as minutes
left join tape.prints as prints
    on prints.printed_at >= minutes.minute_at
    and prints.printed_at < minutes.minute_at + interval 1 minute
group by minutes.minute_et
having count(prints.sequence) = 0
order by minutes.minute_et
