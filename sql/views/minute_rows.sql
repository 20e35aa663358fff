-- views.minute_rows: the rows of one minute in a published dataset.
-- grain: that of the dataset
-- reads: the files of a dataset
-- param: files, minute
select *
from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
where minute_et = $minute
