-- positions.paths: the index from a minute to the PM close of each session.
-- grain: session_date, minute_et
-- reads: the files of market_minutes
-- param: files, from
select session_date, minute_et, seconds_left, spot
from read_parquet($files::varchar[], hive_partitioning = false)
where minute_et > $from and seconds_left >= 0
