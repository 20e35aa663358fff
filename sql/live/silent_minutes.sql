-- live.silent_minutes: minutes of the session so far in which nothing was printed.
-- grain: minute_et
-- reads: tape.minutes, tape.prints
-- param: until_ms
select minutes.minute_et
from tape.minutes as minutes
where minutes.minute_at < make_timestamp($until_ms::bigint * 1000)
    and not exists (
        from tape.prints as prints
        where date_trunc('minute', prints.printed_at) = minutes.minute_at
    )
order by minutes.minute_et
