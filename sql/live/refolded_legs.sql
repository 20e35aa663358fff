-- live.refolded_legs: the legs of the versions that were folded again and may have changed.
-- grain: edition_id, leg_number
-- reads: live.refolded, live.step_edition_legs
select legs.*
from live.step_edition_legs as legs
semi join live.refolded using (edition_id)
