-- live.at_quotes: what surface.quotes says of the states that are looked at. The table is in their
-- order: what lies between the early ones and the late ones is not read.
-- grain: that of surface.quotes
-- reads: live.states, surface.quotes
-- param: early_minute, first_minute, late_minute
with

near as (
    select *
    from surface.quotes
    where minute_et between $first_minute::varchar and $early_minute::varchar
    union all
    select *
    from surface.quotes
    where minute_et >= $late_minute::varchar and minute_et > $early_minute::varchar
)

select near.*
from near
semi join live.states using (minute_et)
