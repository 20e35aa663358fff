-- measure.side_rates: number of decided sides and of right ones. `bucket` is 'all' or '50+', the
-- orders of 50 contracts and more; `hit_share` is null where no side is decided. One decided where
-- there was no one customer, or of legs put together the wrong way round, is not right.
-- grain: is_package, bucket
-- reads: measure.side_orders
select
    orders.is_package,
    buckets.bucket,
    count(*) as orders,
    avg((orders.sign <> 0)::int) as decided_share,
    avg((orders.bought = (orders.sign > 0)::int)::int)
        filter (where orders.sign <> 0) as hit_share
from measure.side_orders as orders
inner join (values ('all', 1), ('50+', 50)) as buckets (bucket, least_contracts)
    on orders.contracts >= buckets.least_contracts
group by all
order by all
