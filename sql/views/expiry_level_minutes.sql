-- views.expiry_level_minutes: the levels of each bucket of expiries, a row a minute, book and bucket.
-- grain: minute_et, book_basis, bucket
-- reads: levels.expiry_levels
select
    * exclude (session_date, expiry, monthly_expiry, priced_share),
    expiry::varchar as expiry,
    monthly_expiry::varchar as monthly_expiry
from levels.expiry_levels
order by minute_et, book_basis, bucket
