-- live.at_implied_vols: what surface.implied_vols says of the states that are looked at. The table
-- is in their order: what lies between the early ones and the late ones is not read.
-- grain: that of surface.implied_vols
-- reads: live.at_forwards, surface.implied_vols
-- param: early_term, first_term, late_term
with

near as (
    select *
    from surface.implied_vols
    where term_number between $first_term::integer and $early_term::integer
    union all
    select *
    from surface.implied_vols
    where term_number >= $late_term::integer and term_number > $early_term::integer
)

select near.*
from near
semi join live.at_forwards using (term_number)
