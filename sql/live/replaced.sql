-- live.replaced: the versions of the orders that the news may have changed.
-- grain: edition_id
-- reads: fold.editions, live.zones
select editions.edition_id
from fold.editions as editions
semi join live.zones as zones
    on zones.is_slow = is_slow_class(editions.print_class)
    and epoch_us(editions.printed_at) <= zones.last_us
    and epoch_us(editions.last_printed_at) >= zones.first_us
