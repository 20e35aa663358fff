-- measure.known_index: the index of each minute by the whole tape.
-- grain: minute_et
-- reads: surface.index_spots
select *
from surface.index_spots
