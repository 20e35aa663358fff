-- views.known_message_times: when the newest message of each minute became known.
-- grain: one row a minute
-- reads: the files of prints
-- param: files
select max(known_at) as known_at
from read_parquet($files::varchar[], hive_partitioning = false)
where fate in ('kept', 'cancelled', 'cancel', 'cancel_without_target')
group by date_trunc('minute', known_at)
