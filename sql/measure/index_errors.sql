-- measure.index_errors: an index by put-call parity against that of the whole tape, in each minute
-- until the PM close that has the latter and had to do without it. Where none was derived the
-- error is null.
-- grain: tape, minute_at
-- reads: measure.known_index, surface.index_spots, surface.spots, tape.session
-- param: tape
select
    $tape::varchar as tape,
    spots.minute_at,
    abs(spots.spot - known.spot) as error,
    spots.spot_error
from surface.spots as spots
inner join surface.index_spots as seen using (minute_at)
inner join measure.known_index as known using (minute_at)
cross join tape.session as session
where known.spot is not null
    and seen.spot is null
    and spots.minute_at > session.opens_at
    and spots.minute_at <= session.pm_expires_at
