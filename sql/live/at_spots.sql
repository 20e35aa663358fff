-- live.at_spots: the index of the states that are looked at, and of those in which the session may
-- have opened.
-- grain: minute_et
-- reads: live.states, surface.spots, tape.session
select kept.*
from surface.spots as kept
cross join tape.session as session
where kept.minute_et in (select minute_et from live.states)
    or kept.minute_at <= session.opens_at + interval 5 minutes
