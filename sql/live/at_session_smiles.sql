-- live.at_session_smiles: what surface.session_smiles says of the states that are looked at.
-- grain: that of surface.session_smiles
-- reads: live.states, surface.session_smiles
select kept.*
from surface.session_smiles as kept
semi join live.states using (minute_et)
