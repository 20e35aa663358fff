-- live.at_implied_vols: the rows of surface.implied_vols for the states in live.states. The table
-- is in their order: rows between the early states and the late ones are not read.
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
