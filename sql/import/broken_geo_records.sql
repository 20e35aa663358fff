-- import.broken_geo_records: records that stay out, by their line, and why.
-- grain: line_number
-- reads: import.judged, import.verdicts
select distinct
    line_number,
    case
        when verdict = 'conflict' then 'contradicts a record that is already imported'
        else coalesce(reason, 'unknown ' || unknown_condition)
    end as reason,
    reason is null and verdict is null as is_quarantined
from import.judged as judged
left join import.verdicts as verdicts on verdicts.row_id = judged.rowid
where skip_reason is null
    and (reason is not null or unknown_condition is not null or verdict = 'conflict')
