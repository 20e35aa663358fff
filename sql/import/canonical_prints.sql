-- import.canonical_prints: prints in Tapefold's own columns, from CSV or Parquet.
-- grain: line_number
-- reads: import.rows
select
    line_number,
    row_reason,
    whole_fault('sequence', sequence) as cell_reason,
    null::varchar as skip_reason,
    try_cast(session_date as date) as session_date,
    utc_instant(printed_at) as instant_at,
    null::timestamp as wall_at,
    root,
    try_cast(expiry as date) as expiry,
    try_cast(strike as double) as strike,
    option_type,
    exchange,
    whole_number(sequence) as vendor_sequence,
    whole_number(size)::double as size,
    try_cast(price as double) as price,
    condition as condition_id,
    vendor_condition,
    trade_id,
    stated_number(best_bid) as best_bid,
    stated_number(best_ask) as best_ask,
    stated_number(bid_size) as bid_size,
    stated_number(ask_size) as ask_size,
    utc_instant(quoted_at) as quoted_at,
    null::timestamp as quoted_wall_at,
    stated_number(underlying_price) as underlying_price,
    utc_instant(known_at) as known_at
from import.rows
