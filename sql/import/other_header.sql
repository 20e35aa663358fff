-- import.other_header: where a file has a second header whose columns stand in another order.
-- grain: one row
-- reads: import.rows
select min(line_number) as line
from import.rows
where row_reason = 'is another header'
