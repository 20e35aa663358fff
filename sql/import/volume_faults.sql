-- import.volume_faults: how many rows of a file have each fault of their volumes, and the first one.
-- grain: fault
-- reads: import.judged
select
    fault,
    count(*) as row_count,
    (select count(*) from import.judged where skip_reason is null) as judged_count,
    min(line_number) as line_number,
    arg_min(reason, line_number) as reason
from import.judged
where skip_reason is null and fault is not null
group by fault
order by fault
