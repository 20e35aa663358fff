-- import.delayed_rows: the rows of a batch, none known before the news of its day.
-- grain: a row of the file
-- reads: the files of the tape
-- param: news, path
select batch.* exclude (file_row_number) replace (greatest(known_at, news.from_at) as known_at)
from read_parquet($path, file_row_number = true, hive_partitioning = false) as batch
left join news_days($news) as news using (session_date)
order by file_row_number
