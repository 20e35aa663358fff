-- live.surface_prints: the prints whose quotes and index the new states may use.
-- grain: sequence
-- reads: tape.prints
-- param: spots_from_ms
select *
from tape.prints
where printed_at >= make_timestamp($spots_from_ms::bigint * 1000)
