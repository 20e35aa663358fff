-- views.published_orders: the orders of a ledger, of orders or of revisions.
-- grain: that of the dataset
-- reads: the files of orders or revisions
-- param: files
select *
from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
where is_in_ledger
