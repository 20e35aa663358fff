-- measure.side_deciles: stated probability compared with the share that came true, by tenths of it.
-- `bucket` is 'all' or '50+', the orders of 50 contracts and more.
-- grain: is_package, bucket, decile
-- reads: measure.side_orders
select
    orders.is_package,
    buckets.bucket,
    least(floor(orders.side_probability * 10 + 1e-9), 9)::integer as decile,
    count(*) as orders,
    exact_sum(orders.side_probability) / count(*) as stated_share,
    sum(orders.bought) / count(*) as observed_share
from measure.side_orders as orders
inner join (values ('all', 1), ('50+', 50)) as buckets (bucket, least_contracts)
    on orders.contracts >= buckets.least_contracts
where orders.side_probability is not null
group by all
order by all
