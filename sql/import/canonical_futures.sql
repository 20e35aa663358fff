-- import.canonical_futures: prices of futures in Tapefold's own columns, from CSV or Parquet.
-- grain: line_number
-- reads: import.rows
select
    line_number,
    row_reason,
    whole_fault('volume', volume) as cell_reason,
    null::varchar as skip_reason,
    try_cast(session_date as date) as session_date,
    utc_instant(priced_at) as instant_at,
    null::timestamp as wall_at,
    contract,
    try_cast(price as double) as price,
    whole_number(volume) as volume,
    utc_instant(known_at) as known_at
from import.rows
