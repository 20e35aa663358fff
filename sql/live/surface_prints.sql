-- live.surface_prints: the prints whose quotes and index the new states may use.
-- grain: sequence
-- reads: tape.prints
-- param: since_ms
select *
from tape.prints
where printed_at >= make_timestamp($since_ms::bigint * 1000) - interval 6 minutes
