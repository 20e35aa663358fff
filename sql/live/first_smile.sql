-- live.first_smile: the session's own surface of the opening minute, when that is not a new state.
-- grain: minute_et
-- reads: live.new_minutes, surface.session_smiles
select smiles.*
from surface.session_smiles as smiles
anti join live.new_minutes using (minute_et)
where smiles.minute_et = opening_minute()
