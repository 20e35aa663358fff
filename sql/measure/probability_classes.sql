-- measure.probability_classes: stated probability that net dealer gamma is positive, and the share
-- of such minutes in which it is, over the minutes of all sessions and kinds of dealers.
-- grain: inventory, class
-- reads: measure.level_minutes
with

judged as (
    select
        *,
        case
            when p_positive < 0.1 then 1
            when p_positive < 0.3 then 2
            when p_positive < 0.5 then 3
            when p_positive < 0.7 then 4
            when p_positive < 0.9 then 5
            else 6
        end as class
    from measure.level_minutes
    where book_basis = 'measured' and p_positive is not null and true_gamma is not null
)

select
    inventory,
    class,
    count(*) as minute_count,
    avg(p_positive) as stated_share,
    avg((true_gamma > 0)::integer) as observed_share
from judged
group by inventory, class
order by inventory desc, class
