-- views.published_legs: the legs of those orders.
-- grain: that of the dataset
-- reads: ledger.orders, ledger.revisions, the files of legs or revision_legs
-- param: files
with known as (from ledger.orders union by name from ledger.revisions)

select *
from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
semi join known using (order_id)
