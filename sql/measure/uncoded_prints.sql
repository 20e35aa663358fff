-- measure.uncoded_prints: the prints of a tape as a vendor without conditions gives them.
-- grain: sequence
-- reads: tape.prints
select * replace (null::varchar as condition)
from tape.prints
