-- views.missing_minutes: minutes of the session in which nothing known to the build was printed.
-- grain: minute_et
-- reads: ledger.tape_minutes
select minute_et
from ledger.tape_minutes
where print_count = 0
order by minute_et
