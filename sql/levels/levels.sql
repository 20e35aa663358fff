-- levels.levels: the dealers' levels of each minute, for each book, over all its expiries.
-- grain: minute_et, book_basis
-- reads: levels.expiry_levels
select * exclude (minute_at, bucket, expiry, gross_share, monthly_expiry, monthly_share)
from levels.expiry_levels
where bucket = 'all'
