-- views.known_printed_minutes: when the first print of each minute became known.
-- grain: minute_at
-- reads: the files of prints
-- param: files
select date_trunc('minute', printed_at) as minute_at, min(known_at) as known_at
from read_parquet($files::varchar[], hive_partitioning = false)
where fate <> 'other_symbol'
group by minute_at
