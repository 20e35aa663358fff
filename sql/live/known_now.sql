-- live.known_now: the versions of orders that the newest state is the first to know.
-- grain: edition_id
-- reads: fold.editions
-- param: since_ms, until_ms
select *
from fold.editions
where visible_at >= make_timestamp($since_ms::bigint * 1000)
    and visible_at < make_timestamp($until_ms::bigint * 1000)
