-- lab.smile_minutes: market data that goes with a smile of one expiry of a session, by state.
-- grain: state
-- reads: the files of smiles
-- param: dte, files, first_minute
select minute_number(minute_et) - $first_minute as state, forward, discount
from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
where dte = $dte
