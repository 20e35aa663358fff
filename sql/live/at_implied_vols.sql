-- live.at_implied_vols: what surface.implied_vols says of the states that are looked at.
-- grain: that of surface.implied_vols
-- reads: live.states, surface.implied_vols, surface.terms
with

terms as (
    select terms.term_number
    from surface.terms as terms
    semi join live.states using (minute_et)
)

select kept.*
from surface.implied_vols as kept
semi join terms using (term_number)
