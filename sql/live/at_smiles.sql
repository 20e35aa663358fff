-- live.at_smiles: the rows of surface.smiles for the states in live.states. The table is in their
-- order: rows between the early states and the late ones are not read.
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
