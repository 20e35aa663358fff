-- ledger.closing_index: the index just before the session closed, which the next session takes as
-- its previous close.
-- grain: one row
-- reads: surface.spots, tape.session
select
    session.session_date,
    session.symbol,
    spots.minute_et,
    spots.minute_at,
    0 as seconds_left,
    spots.spot,
    spots.spot_source,
    spots.spot_error
from surface.spots as spots
cross join tape.session as session
where spots.minute_at = session.pm_expires_at
