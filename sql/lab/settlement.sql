-- lab.settlement: the value at which the contracts of a session settle.
-- grain: one row
-- reads: the files of settlements
-- param: files
select settlement, source
from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
