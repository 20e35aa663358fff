-- import.other_roots: rows of a file that are of none of the roots to import, by root or symbol.
-- grain: root
-- reads: import.judged
-- param: name
select
    columns(column_name -> column_name = $name::varchar)::varchar as root,
    count(*) as row_count
from import.judged
where skip_reason = 'other root'
group by root
order by row_count desc, root
