-- live.bar_minutes: the new states whose surface prices the uncertainty of the book, as in
-- book.bar_states.
-- grain: minute_at
-- reads: live.new_minutes, surface.forwards
with forwards as (from surface.forwards)

select minutes.minute_et, minutes.minute_at
from live.new_minutes as minutes
inner join bar_surfaces('forwards') using (minute_at)
