-- simulate.truth_surface: true forward, discount and smile of every expiry, by minute.
-- grain: session_date, minute_at, root, expiry
-- reads: simulate.raw_surface
-- param: session
select
    $session::date as session_date,
    make_timestamp(minute_us::bigint) as minute_at,
    root,
    expiry::date as expiry,
    spot,
    forward,
    discount,
    total_variance,
    rho,
    eta
from simulate.raw_surface
order by minute_us, expiry, root
