-- live.known_legs: the legs of the versions that the newest state is the first to know.
-- grain: edition_id, leg_number
-- reads: fold.edition_legs, live.known_now
select legs.*
from fold.edition_legs as legs
semi join live.known_now using (edition_id)
