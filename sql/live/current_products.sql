-- live.current_products: the deviation products that the newest states price: the new ones, and all
-- earlier ones where one of the states prices them again.
-- grain: any
-- reads: live.bar_minutes, live.new_products, live.products
select
    root,
    expiry,
    strike,
    other_root,
    other_expiry,
    other_strike,
    timestamp '1970-01-01' as minute_at,
    covariance
from live.products
where (select count(*) from live.bar_minutes) > 0
union all
from live.new_products
