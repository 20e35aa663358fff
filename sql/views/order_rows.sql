-- views.order_rows: the rows of one order in a published dataset.
-- grain: that of the dataset
-- reads: the files of a dataset
-- param: files, id
select *
from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
where order_id = $id
