-- import.last_sums: the last sums of the days whose rows end before the close, and whether there
-- are rows of whole days.
-- grain: one row
-- reads: import.judged
select
    max(session_date) filter (where skip_reason = 'before the close')::varchar as session_date,
    epoch_ms(max(snapshot_at) filter (where skip_reason = 'before the close')) as snapshot_ms,
    bool_or(coalesce(skip_reason, 'none') in ('none', 'earlier sums')) as has_whole_day
from import.judged
