-- simulate.arrived_spots: values of the index that came between two instants.
-- grain: spotted_at
-- reads: the files of simulate.spots
-- param: since_ms, source, until_ms
select *
from read_parquet($source, hive_partitioning = false)
where spotted_at >= make_timestamp($since_ms::bigint * 1000)
    and spotted_at < make_timestamp($until_ms::bigint * 1000)
