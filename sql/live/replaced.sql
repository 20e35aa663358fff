-- live.replaced: the versions of the orders that the changed prints may affect.
-- grain: edition_id
-- reads: live.affected_ranges, live.near_spans
select spans.edition_id
from live.near_spans as spans
semi join live.affected_ranges as ranges
    on ranges.is_slow = spans.is_slow
    and spans.first_us <= ranges.last_us
    and spans.last_us >= ranges.first_us
