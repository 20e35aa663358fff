-- live.other_spots: of the index values outside the last minutes, the one that was known first: the
-- tape has the index from then on. is_old is true when that holds for all later states.
-- grain: spotted_at
-- reads: tape.spots
-- param: since_ms, spots_from_ms, until_ms
select
    *,
    spotted_at < make_timestamp($spots_from_ms::bigint * 1000)
    and known_at < make_timestamp($since_ms::bigint * 1000) as is_old
from tape.spots
where known_at < make_timestamp($until_ms::bigint * 1000)
    and (
        spotted_at >= make_timestamp($until_ms::bigint * 1000)
        or spotted_at < make_timestamp($spots_from_ms::bigint * 1000)
    )
order by known_at, spotted_at
limit 1
