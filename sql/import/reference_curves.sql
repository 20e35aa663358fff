-- import.reference_curves: the curves that come with the product.
-- grain: session_date, tenor_days
-- reads: import.treasury_rates
select session_date, tenor_days, rate
from import.treasury_rates
