-- live.new_traded: the strikes that traded for the first time.
-- grain: root, expiry, strike
-- reads: live.arrivals, live.traded
select distinct root, expiry, strike
from live.arrivals
anti join live.traded using (root, expiry, strike)
