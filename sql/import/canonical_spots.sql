-- import.canonical_spots: index values in Tapefold's own columns, from CSV or Parquet.
-- grain: line_number
-- reads: import.rows
select
    line_number,
    row_reason,
    null::varchar as skip_reason,
    try_cast(session_date as date) as session_date,
    utc_instant(spotted_at) as instant_at,
    null::timestamp as wall_at,
    try_cast(spot as double) as spot,
    utc_instant(known_at) as known_at,
    symbol
from import.rows
