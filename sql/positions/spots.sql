-- positions.spots: the minutes of the loaded sessions at which the index is known.
-- grain: day, minute_et
-- reads: positions.market_conditions
select
    session_date::varchar as day,
    minute_et,
    spot
from positions.market_conditions
where spot is not null
