-- lab.smile_minutes: what a smile of one expiry of a session goes with, by state.
-- grain: state
-- reads: the files of smiles
-- param: dte, files, first_minute
select minute_number(minute_et) - $first_minute as state, forward, discount
from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
where dte = $dte
