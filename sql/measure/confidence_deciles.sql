-- measure.confidence_deciles: the fold's stated confidence next to the share of packages that are
-- exactly a true one, by tenths of it.
-- grain: decile
-- reads: measure.folded_packages
select
    least(floor(confidence * 10 + 1e-9), 9)::integer as decile,
    count(*) as packages,
    exact_sum(confidence) / count(*) as stated_share,
    avg(is_exact::integer) as exact_share
from measure.folded_packages
group by decile
order by decile
