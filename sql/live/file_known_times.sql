-- live.file_known_times: the instant at which the last row of each file becomes known.
-- grain: filename
-- reads: the files of tape.prints
-- param: files
select filename, epoch_ms(max(known_at)) as known_ms
from read_parquet($files::varchar[], hive_partitioning = false, filename = true)
group by filename
