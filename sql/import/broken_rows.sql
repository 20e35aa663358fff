-- import.broken_rows: the rejected or the quarantined rows with their text.
-- grain: line_number, reason
-- reads: import.broken, import.broken_lines
-- param: is_quarantined
select broken.line_number, broken.reason, lines.line
from import.broken as broken
left join import.broken_lines as lines using (line_number)
where broken.is_quarantined = $is_quarantined::boolean
order by broken.line_number, broken.reason
