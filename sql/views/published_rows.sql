-- views.published_rows: all rows of a published dataset.
-- grain: that of the dataset
-- reads: the files of a dataset
-- param: files
select *
from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
