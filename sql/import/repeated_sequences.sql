-- import.repeated_sequences: numbers that two prints of a session would share; none, or the
-- import stops.
-- grain: session_date, sequence
-- reads: import.accepted, import.existing
select session_date::varchar as session_date, sequence, count(*) as print_count
from (
    select session_date, sequence from import.accepted
    union all
    select session_date, sequence from import.existing
)
group by all
having count(*) > 1
order by all
limit 5
