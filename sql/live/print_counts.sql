-- live.print_counts: the number of prints that became known in each minute between two instants.
-- grain: at_ms
-- reads: the files of tape.prints
-- param: files, since_ms, until_ms
select epoch_ms(date_trunc('minute', known_at)) as at_ms, count(*) as print_count
from read_parquet($files::varchar[], hive_partitioning = false)
where known_at >= make_timestamp($since_ms::bigint * 1000)
    and known_at < make_timestamp($until_ms::bigint * 1000)
group by at_ms
order by at_ms
