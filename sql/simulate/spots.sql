-- simulate.spots: the index of a simulated session, second by second.
-- grain: session_date, spotted_at
-- reads: simulate.raw_spots
-- param: session
select
    $session::date as session_date,
    make_timestamp(spotted_us::bigint) as spotted_at,
    spot,
    spotted_at as known_at,
    'SPX' as symbol
from simulate.raw_spots
order by spotted_us
