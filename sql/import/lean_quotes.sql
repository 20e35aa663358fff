-- import.lean_quotes: quote bars; the close of a bar is known when its minute ends.
-- grain: line_number
-- reads: import.lean_bars
select
    line_number,
    row_reason,
    null::varchar as skip_reason,
    null::date as session_date,
    null::timestamp as instant_at,
    bar_wall_at + interval 1 minute as wall_at,
    root,
    expiry,
    strike,
    option_type,
    stated_bid(bid_close, ask_close) as best_bid,
    stated_ask(ask_close) as best_ask,
    bid_size,
    ask_size,
    null::timestamp as quoted_at,
    null::timestamp as known_at
from import.lean_bars
where kind = 'quote' and is_option
