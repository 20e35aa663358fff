-- measure.all_spots: the index values of the whole tape.
-- grain: spotted_at
-- reads: tape.spots
select *
from tape.spots
