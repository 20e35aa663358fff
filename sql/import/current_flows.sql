-- import.current_flows: the flows of contracts as they stand: the last sums of a day, of a whole day
-- before those of ten minutes, and of equal ones the file that was imported last.
-- grain: session_date, exchange, root, expiry, strike, option_type
-- reads: the files of the tape
-- param: files, names
select * exclude (filename)
from read_parquet($files::varchar[], filename = true, hive_partitioning = false)
qualify row_number() over (
    partition by session_date, exchange, root, expiry, strike, option_type
    order by
        coalesce(snapshot_at, 'infinity'::timestamp) desc,
        list_position($names::varchar[], filename) desc,
        fault is not null
) = 1
