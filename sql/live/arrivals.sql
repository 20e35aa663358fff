-- live.arrivals: the prints that became known since the previous state. Rows of a new file about
-- earlier minutes are known from now on.
-- grain: sequence
-- reads: the files of tape.prints
-- param: files, fresh, since_ms, until_ms
select
    session_date, sequence, printed_at, root, expiry, strike, option_type, exchange, size, price,
    condition, vendor_condition, trade_id, best_bid, best_ask, bid_size, ask_size, quoted_at,
    underlying_price, known_at, vendor_sequence
from read_parquet($files::varchar[], hive_partitioning = false, filename = true)
where known_at < make_timestamp($until_ms::bigint * 1000)
    and (
        known_at >= make_timestamp($since_ms::bigint * 1000)
        or list_contains($fresh::varchar[], filename)
    )
