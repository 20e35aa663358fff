-- import.chain_spots: the one index value of a chain.
select
    1 as line_number,
    null::varchar as row_reason,
    null::varchar as skip_reason,
    quotes_session_date as session_date,
    snapshot_at as instant_at,
    null::timestamp as wall_at,
    last as spot,
    null::timestamp as known_at
from import.snapshot
