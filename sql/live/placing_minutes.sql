-- live.placing_minutes: the states that the newly known orders are matched with.
-- grain: minute_at
-- reads: live.new_versions, tape.minutes
select minutes.minute_et, minutes.minute_at
from tape.minutes as minutes
semi join live.new_versions using (minute_et)
