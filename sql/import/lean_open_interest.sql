-- import.lean_open_interest: open interest of the morning of the zip's day.
-- grain: line_number
-- reads: import.lean_bars
select
    line_number,
    row_reason,
    null::varchar as skip_reason,
    session_date,
    null::timestamp as instant_at,
    null::timestamp as wall_at,
    root,
    expiry,
    strike,
    option_type,
    open_interest,
    null::timestamp as known_at
from import.lean_bars
where kind = 'openinterest' and is_option
