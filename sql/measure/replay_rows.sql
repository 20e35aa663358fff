-- measure.replay_rows: the yardstick of a replay: every value of one minute in many files.
-- grain: one row
-- reads: the files of any dataset
-- param: files, minute
select count(columns(*))
from read_parquet($files::varchar[], hive_partitioning = false)
where minute_et = $minute
