-- import.session_keys: the sessions of the valid rows of a file.
-- grain: session_date
-- reads: import.judged
select distinct session_date::varchar as session_date
from import.judged
where reason is null and skip_reason is null and session_date is not null
order by session_date
