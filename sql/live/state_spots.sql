-- live.state_spots: the index of the last minutes, which the new states look back on.
-- grain: spotted_at
-- reads: tape.spots
-- param: spots_from_ms, until_ms
select *
from tape.spots
where spotted_at < make_timestamp($until_ms::bigint * 1000)
    and spotted_at >= make_timestamp($spots_from_ms::bigint * 1000)
