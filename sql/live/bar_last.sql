-- live.bar_last: the last of the new states whose surface prices the uncertainty of the book.
-- grain: one row
-- reads: live.bar_minutes
select max(minute_et) as minute_et, max(minute_at) as minute_at
from live.bar_minutes
