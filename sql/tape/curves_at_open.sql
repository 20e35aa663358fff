-- tape.curves_at_open: a point of the curve that was known before the session; none without one.
-- grain: one row
-- reads: tape.rates
select tenor_days
from tape.rates
where known_at is null
limit 1
