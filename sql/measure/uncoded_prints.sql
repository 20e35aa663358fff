-- measure.uncoded_prints: the prints of a tape as a vendor gives them that tells no conditions.
-- grain: sequence
-- reads: tape.prints
select * replace (null::varchar as condition)
from tape.prints
