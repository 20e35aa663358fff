-- import.tally: outcome of the rows of a file, by session.
-- grain: session_date
-- reads: import.judged, import.verdicts
select
    judged.session_date::varchar as session_date,
    count(*) as read_count,
    count(*) filter (skip_reason is not null) as skipped_count,
    count(*) filter (skip_reason is null and (reason is not null or verdict = 'conflict'))
        as rejected_count,
    count(*) filter (skip_reason is null and reason is null and unknown_condition is not null)
        as quarantined_count,
    count(*) filter (skip_reason is null and reason is null and verdict = 'known')
        as known_count,
    read_count - skipped_count - rejected_count - quarantined_count - known_count
        as imported_count
from import.judged as judged
left join import.verdicts as verdicts on verdicts.row_id = judged.rowid
group by judged.session_date
order by session_date nulls first
