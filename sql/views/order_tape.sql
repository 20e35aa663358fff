-- views.order_tape: the prints of one order, of all of a session.
-- grain: that of the dataset
-- reads: the files of a dataset, ledger.order_prints
-- param: files
select *
from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
semi join ledger.order_prints using (sequence)
