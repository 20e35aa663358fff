-- audit.nulls_have_reasons: a null without a reason looks like a mistake; a number with a reason is
-- one.
-- grain: order_id
-- reads: ledger.orders
select order_id
from ledger.orders
where
    (dealer_gamma_musd_per_point is null) <> (gamma_null_reason is not null)
    or (sign = 0) <> (side_reason is not null)
    or side_probability not between 0 and 1
    or (sign = 0 and dealer_gamma_musd_per_point is not null)
    or (flip_distance_points is null) <> (flip_null_reason is not null)
    or (flip_side is null) <> (flip_distance_points is null)
    or abs(dealer_gamma_musd_per_point) > 100000
    or not isfinite(dealer_gamma_musd_per_point)
