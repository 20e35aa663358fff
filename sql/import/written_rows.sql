-- import.written_rows: the new rows of a session, or of all dates, in the order of their file, none
-- known before the late-data instant of its day.
-- grain: row_id
-- reads: import.accepted
-- param: late_days, session
select accepted.* replace (greatest(known_at, days.from_at) as known_at)
from import.accepted as accepted
left join late_days($late_days) as days using (session_date)
where $session::date is null or session_date = $session::date
order by row_id
