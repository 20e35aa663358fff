-- import.delayed_rows: the rows of a batch, none known before the late-data instant of its day.
-- grain: a row of the file
-- reads: the files of the tape
-- param: late_days, path
select batch.* exclude (file_row_number) replace (greatest(known_at, days.from_at) as known_at)
from read_parquet($path, file_row_number = true, hive_partitioning = false) as batch
left join late_days($late_days) as days using (session_date)
order by file_row_number
