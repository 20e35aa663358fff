-- live.products: the deviation products of the session so far, summed by pair of strikes.
-- grain: root, expiry, strike, other_root, other_expiry, other_strike
-- reads: live.products
select
    root,
    expiry,
    strike,
    other_root,
    other_expiry,
    other_strike,
    exact_square_sum(covariance) as covariance
from live.products
group by root, expiry, strike, other_root, other_expiry, other_strike
