-- simulate.rates: the yield curve known in the simulated session's morning.
-- grain: session_date, tenor_days
-- reads: simulate.raw_rates
-- param: curve_date
select
    $curve_date::date as session_date,
    tenor_days,
    rate,
    null::timestamp as known_at
from simulate.raw_rates
order by tenor_days
