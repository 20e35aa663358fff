-- live.new_spans: first and last print time of the orders that were folded again.
-- grain: edition_id
-- reads: live.refolded
select
    edition_id,
    is_slow_class(print_class) as is_slow,
    epoch_us(printed_at) as first_us,
    epoch_us(last_printed_at) as last_us
from live.refolded
