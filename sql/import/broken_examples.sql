-- import.broken_examples: the first rows that stay out, with their lines.
-- grain: line_number, reason
-- reads: import.broken
-- param: is_quarantined
select line_number, reason
from import.broken
where is_quarantined = $is_quarantined::boolean
order by line_number, reason
limit 3
