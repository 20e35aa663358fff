-- live.arrivals: the prints that became known since the state before.
-- grain: sequence
-- reads: tape.prints
-- param: since_ms, until_ms
select *
from tape.prints
where known_at >= make_timestamp($since_ms::bigint * 1000)
    and known_at < make_timestamp($until_ms::bigint * 1000)
