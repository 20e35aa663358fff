-- live.refolded: the versions of the orders that were folded again and may have changed.
-- grain: edition_id
-- reads: live.step_editions, live.zones
select editions.*
from live.step_editions as editions
semi join live.zones as zones
    on zones.is_slow = is_slow_class(editions.print_class)
    and epoch_us(editions.printed_at) <= zones.last_us
    and epoch_us(editions.last_printed_at) >= zones.first_us
