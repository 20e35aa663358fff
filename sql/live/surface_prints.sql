-- live.surface_prints: the prints whose quotes and index the newest state may use.
-- grain: sequence
-- reads: tape.prints
-- param: until_ms
select *
from tape.prints
where printed_at >= make_timestamp($until_ms::bigint * 1000) - interval 6 minutes
