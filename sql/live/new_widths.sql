-- live.new_widths: the longest time between first and last print of an order that was folded again.
-- One row is stored per step, so the maximum needs no scan of all orders of the session.
-- grain: one row
-- kind: view
-- reads: live.new_spans
select coalesce(max(last_us - first_us), 0) as width_us
from live.new_spans
