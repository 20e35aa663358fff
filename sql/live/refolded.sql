-- live.refolded: the versions of the orders that were folded again and may have changed.
-- grain: edition_id
-- reads: live.affected_ranges, live.step_editions
select editions.*
from live.step_editions as editions
semi join live.affected_ranges as ranges
    on ranges.is_slow = is_slow_class(editions.print_class)
    and epoch_us(editions.printed_at) <= ranges.last_us
    and epoch_us(editions.last_printed_at) >= ranges.first_us
