-- import.canonical_quotes: minute quotes in Tapefold's own columns, from CSV or Parquet.
-- grain: line_number
-- reads: import.rows
select
    line_number,
    row_reason,
    null::varchar as skip_reason,
    try_cast(session_date as date) as session_date,
    utc_instant(minute_at) as instant_at,
    null::timestamp as wall_at,
    root,
    try_cast(expiry as date) as expiry,
    try_cast(strike as double) as strike,
    option_type,
    stated_number(best_bid) as best_bid,
    stated_number(best_ask) as best_ask,
    stated_number(bid_size) as bid_size,
    stated_number(ask_size) as ask_size,
    utc_instant(quoted_at) as quoted_at,
    utc_instant(known_at) as known_at
from import.rows
