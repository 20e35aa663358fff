-- import.written_prints: the new prints of a session in the order of the tape, none known before
-- the late-data instant of its day.
-- grain: sequence
-- reads: import.accepted
-- param: late_days, session
select accepted.* replace (greatest(known_at, days.from_at) as known_at)
from import.accepted as accepted
left join late_days($late_days) as days using (session_date)
where session_date = $session::date
order by printed_at, sequence
