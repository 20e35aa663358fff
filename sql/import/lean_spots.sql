-- import.lean_spots: index bars; the close of a bar is known when its minute ends.
-- grain: line_number
-- reads: import.lean_bars
select
    line_number,
    row_reason,
    null::varchar as skip_reason,
    null::date as session_date,
    null::timestamp as instant_at,
    bar_wall_at + interval 1 minute - interval 1 microsecond as wall_at,
    index_close as spot,
    null::timestamp as known_at,
    root as symbol
from import.lean_bars
where kind = 'trade' and not is_option
