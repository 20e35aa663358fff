-- ledger.tape_minutes: number of prints of the session's product in each minute.
-- grain: minute_et
-- reads: fold.print_fates, tape.minutes, tape.prints
with

own_prints as (
    select prints.sequence, date_trunc('minute', prints.printed_at) as minute_at
    from tape.prints as prints
    inner join fold.print_fates as fates using (sequence)
    where fates.fate <> 'other_symbol'
)

select minutes.minute_et, minutes.minute_at, count(own_prints.sequence) as print_count
from tape.minutes as minutes
left join own_prints using (minute_at)
group by minutes.minute_et, minutes.minute_at
order by minutes.minute_at
