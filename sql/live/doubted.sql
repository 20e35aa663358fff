-- live.doubted: the strikes of live.products_now.
-- grain: root, expiry, strike
-- reads: live.products_now
select distinct root, expiry, strike
from live.products_now
