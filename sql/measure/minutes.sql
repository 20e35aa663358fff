-- measure.minutes: all states of the session, or two of ten minutes and the first: neighbors differ
-- little. Of the two one has deviations of its own, and one those of four minutes before.
-- grain: minute_et
-- reads: measure.all_minutes
-- param: is_all
select *
from measure.all_minutes
where $is_all::boolean
    or minute(minute_at) % 10 in (0, 4)
    or minute_at = (select min(minute_at) from measure.all_minutes)
