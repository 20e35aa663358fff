-- measure.world_classes: stated probability that the customer bought, by tenths of it, with the share
-- of the orders, and of their contracts, that came true.
-- grain: class
-- reads: measure.side_rows
select
    least(floor(side_probability * 10 + 1e-9), 9)::integer as class,
    count(*) as orders,
    exact_sum(side_probability) / count(*) as stated_share,
    sum(bought) / count(*) as observed_share,
    sum(contracts * bought) / sum(contracts) as observed_lots_share
from measure.side_rows
where side_probability is not null
group by class
order by class
