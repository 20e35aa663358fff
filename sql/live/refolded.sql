-- live.refolded: the versions of the orders that were folded again and may have changed.
-- grain: edition_id
-- reads: live.span, live.step_editions
select editions.*
from live.step_editions as editions
cross join live.span as span
where editions.last_printed_at >= span.replaced_from
