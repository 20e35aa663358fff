-- measure.leg_deciles: the stated probability that a leg was bought, compared with the share that
-- was, by tenths of it; half where there was no one customer. Legs of the orders of `side_orders`,
-- packages alone: the leg of a single order is the order.
-- grain: is_package, bucket, decile
-- reads: fold.legs, measure.exact_legs, measure.side_orders, measure.truth_legs
with

stated as (
    select
        orders.is_package,
        orders.contracts,
        leg_probability(orders.side_probability, legs.package_sign) as side_probability,
        (1 + truth_legs.customer_sign) / 2 as bought
    from measure.side_orders as orders
    inner join measure.exact_legs as exact using (order_id)
    inner join fold.legs as legs using (order_id)
    inner join measure.truth_legs as truth_legs
        on truth_legs.parent_id = exact.parent_id
        and truth_legs.root = legs.root
        and truth_legs.expiry = legs.expiry
        and truth_legs.strike = legs.strike
        and truth_legs.option_type = legs.option_type
    where orders.is_package
)

select
    stated.is_package,
    buckets.bucket,
    least(floor(stated.side_probability * 10 + 1e-9), 9)::integer as decile,
    count(*) as orders,
    exact_sum(stated.side_probability) / count(*) as stated_share,
    sum(stated.bought) / count(*) as observed_share
from stated
inner join (values ('all', 1), ('50+', 50)) as buckets (bucket, least_contracts)
    on stated.contracts >= buckets.least_contracts
where stated.side_probability is not null
group by all
order by all
