-- measure.excerpt_prints: prints of an excerpt of SPX trades (times ET, no conditions, no quotes),
-- in the columns of Tapefold's own format.
-- grain: sequence
-- reads: the files of an excerpt
-- param: source
select
    timezone('UTC', timezone('America/New_York', quote_datetime::timestamp)) as printed_at,
    'SPXW' as root,
    expiration_derived as expiry,
    strike_price as strike,
    upper(left(w, 1)) as option_type,
    trade_size as size,
    trade_price as price,
    spot_price as underlying_price,
    row_number() over () as sequence
from read_csv($source, hive_partitioning = false)
