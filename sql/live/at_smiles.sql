-- live.at_smiles: what surface.smiles says of the states that are looked at.
-- grain: that of surface.smiles
-- reads: live.states, surface.smiles, surface.terms
with

terms as (
    select terms.term_number
    from surface.terms as terms
    semi join live.states using (minute_et)
)

select kept.*
from surface.smiles as kept
semi join terms using (term_number)
