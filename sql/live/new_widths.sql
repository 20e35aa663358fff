-- live.new_widths: the widest of the orders that were folded again, in time.
-- grain: one row
-- reads: live.new_spans
select coalesce(max(last_us - first_us), 0) as width_us
from live.new_spans
