-- live.new_widths: the widest of the orders that were folded again, in time. Kept of each step:
-- the largest is not looked for in all orders of the session.
-- grain: one row
-- kind: view
-- reads: live.new_spans
select coalesce(max(last_us - first_us), 0) as width_us
from live.new_spans
