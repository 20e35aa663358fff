-- geo.instants: when what is known of a week changed.
-- grain: at_ms
-- reads: geo.records
select distinct epoch_ms(known_at) as at_ms
from geo.records
order by at_ms
