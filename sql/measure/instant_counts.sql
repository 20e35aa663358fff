-- measure.instant_counts: number of prints, and of groups of one instant.
-- grain: one row
-- reads: measure.instants, tape.prints
select (select count(*) from tape.prints) as prints, count(*) as groups
from measure.instants
