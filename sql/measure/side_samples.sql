-- measure.side_samples: share of the orders of each evidence and price position that went the way
-- they leaned.
-- grain: evidence, place
-- reads: measure.side_orders
select
    evidence,
    place,
    count(*) as orders,
    -- halves are exact, so the order of the rows does not matter
    sum(case when leaning > 0 then bought else 1 - bought end) as right_orders
from measure.side_orders
where leaning <> 0 and (side_probability is not null or side_reason = 'not_calibrated')
group by evidence, place
order by evidence, place
