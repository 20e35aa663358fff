-- live.surface_prints: the prints whose quotes and index the new states may use. They were among
-- those of the states before, or are new.
-- grain: sequence
-- reads: live.arrivals, live.step, live.surface_prints
select prints.*
from (from live.surface_prints union all from live.arrivals) as prints
where prints.printed_at >= (select since_at from live.step) - interval 6 minutes
