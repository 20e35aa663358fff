-- lab.expiries: the expiries that a session has quotes or smiles of.
-- grain: dte
-- reads: the files of option_minutes, the files of smiles
-- param: quote_files, smile_files
with

known as (
    select dte, expiry
    from read_parquet($quote_files::varchar[], hive_partitioning = false, union_by_name = true)
    union
    select dte, expiry
    from read_parquet($smile_files::varchar[], hive_partitioning = false, union_by_name = true)
)

select dte, min(expiry)::varchar as expiry
from known
group by dte
order by dte
