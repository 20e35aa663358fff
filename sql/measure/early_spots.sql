-- measure.early_spots: the index values of a session up to an instant: a tape that loses its index.
-- grain: spotted_at
-- reads: measure.all_spots
-- param: until_ms
select *
from measure.all_spots
where spotted_at < make_timestamp($until_ms::bigint * 1000)
