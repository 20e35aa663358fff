-- import.written_records: the new records of a week, in the order in which they became known.
-- grain: source, record
-- reads: import.accepted
-- param: monday
select *
from import.accepted
where session_date = $monday::date
order by known_at, source, record
