-- audit.stats_equal_the_ledger: the counts are read instead of the rows, and must be theirs.
-- grain: one row
-- reads: ledger.orders, ledger.stats
select stats.*
from ledger.stats as stats
cross join (
    select count(*) as order_count, count(*) filter (where sign = 0) as no_side_count
    from ledger.orders
    where is_in_ledger
) as counted
where
    stats.order_count <> counted.order_count
    or stats.no_side_count <> counted.no_side_count
    or stats.order_count <> stats.gamma_up_count + stats.gamma_down_count
        + stats.gamma_flat_count + stats.no_gamma_count
    or stats.no_side_count > stats.no_gamma_count
