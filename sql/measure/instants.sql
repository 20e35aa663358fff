-- measure.instants: the naive fold: the prints of one instant and root are one order.
-- grain: printed_at, root
-- reads: the files of tape.prints
-- param: file
select
    printed_at,
    root,
    min(sequence) as first_sequence,
    count(*) as print_count,
    sum(size) as contracts,
    sum(size * price * 100) as premium_usd
from read_parquet($file, hive_partitioning = false)
group by printed_at, root
