-- simulate.arrived_quotes: quotes of the states after an instant, up to another.
-- grain: minute_at, root, expiry, strike, option_type
-- reads: the files of simulate.quotes
-- param: since_ms, source, until_ms
select *
from read_parquet($source, hive_partitioning = false)
where minute_at > make_timestamp($since_ms::bigint * 1000)
    and minute_at <= make_timestamp($until_ms::bigint * 1000)
