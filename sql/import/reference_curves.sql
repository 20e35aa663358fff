-- import.reference_curves: the curves that come with the product, in the columns of imported ones.
-- grain: session_date, tenor_days
-- reads: import.treasury_rates
select
    session_date,
    tenor_days,
    rate,
    null::timestamp as known_at
from import.treasury_rates
