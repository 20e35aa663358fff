-- import.canonical_settlements: official settlement values in Tapefold's own columns, from CSV or
-- Parquet.
-- grain: line_number
-- reads: import.rows
select
    line_number,
    row_reason,
    null::varchar as skip_reason,
    try_cast(session_date as date) as session_date,
    null::timestamp as instant_at,
    null::timestamp as wall_at,
    try_cast(settlement as double) as settlement,
    symbol,
    utc_instant(known_at) as known_at
from import.rows
