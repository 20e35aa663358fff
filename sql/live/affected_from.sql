-- live.affected_from: the instant at which the first range that is folded again begins.
-- grain: one row
-- reads: live.affected_ranges
select min(from_us) as from_us
from live.affected_ranges
