-- import.canonical_dealer_positions: measured inventory in Tapefold's own columns.
-- grain: line_number
-- reads: import.rows
select
    line_number,
    row_reason,
    null::varchar as skip_reason,
    try_cast(session_date as date) as session_date,
    null::timestamp as instant_at,
    null::timestamp as wall_at,
    root,
    try_cast(expiry as date) as expiry,
    try_cast(strike as double) as strike,
    option_type,
    try_cast(quantity as double) as quantity,
    utc_instant(known_at) as known_at
from import.rows
