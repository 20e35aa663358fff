-- views.missing_minutes: minutes of the session in which nothing known to the build was printed.
-- grain: minute_et
-- reads: fold.print_fates, tape.minutes, tape.prints
with

printed as (
    select distinct date_trunc('minute', prints.printed_at) as minute_at
    from tape.prints as prints
    inner join fold.print_fates as fates using (sequence)
    where fates.fate <> 'other_symbol'
)

select minutes.minute_et
from tape.minutes as minutes
anti join printed using (minute_at)
order by minutes.minute_et
