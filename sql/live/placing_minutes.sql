-- live.placing_minutes: the states that the orders known now are placed against.
-- grain: minute_at
-- reads: live.known_now, tape.minutes
select minutes.minute_et, minutes.minute_at
from tape.minutes as minutes
semi join live.known_now using (minute_et)
