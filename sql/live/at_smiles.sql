-- live.at_smiles: what surface.smiles says of the states that are looked at. The table is in their
-- order: what lies between the early ones and the late ones is not read.
-- grain: that of surface.smiles
-- reads: live.at_forwards, surface.smiles
-- param: early_term, first_term, late_term
with

near as (
    select *
    from surface.smiles
    where term_number between $first_term::integer and $early_term::integer
    union all
    select *
    from surface.smiles
    where term_number >= $late_term::integer and term_number > $early_term::integer
)

select near.*
from near
semi join live.at_forwards using (term_number)
