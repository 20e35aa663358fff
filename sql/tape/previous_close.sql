-- tape.previous_close: the index just before the session before closed, or why it is not known.
-- grain: one row
-- reads: the files of closing_index
-- param: file
select
    max(spot) as previous_close,
    case when count(spot) = 0 then 'no_previous_close' end as reason
from read_parquet($file, hive_partitioning = false)
where seconds_left = 0
