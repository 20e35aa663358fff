-- import.quarantine: number of rows with each unknown condition, by session.
-- grain: session_date, unknown_condition
-- reads: import.judged
select
    session_date::varchar as session_date,
    unknown_condition,
    count(*) as print_count
from import.judged
where skip_reason is null and reason is null and unknown_condition is not null
group by all
order by all
