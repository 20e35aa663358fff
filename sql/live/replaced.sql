-- live.replaced: the versions of the orders that the news may have changed.
-- grain: edition_id
-- reads: live.near_spans, live.zones
select spans.edition_id
from live.near_spans as spans
semi join live.zones as zones
    on zones.is_slow = spans.is_slow
    and spans.first_us <= zones.last_us
    and spans.last_us >= zones.first_us
