-- tape.other_roots: the roots of files of quotes that are of another symbol.
-- grain: root
-- reads: the files of tape.quotes
-- param: files, symbol
with roots as (
    select distinct root from read_parquet($files::varchar[], hive_partitioning = false)
)

select root
from roots
where symbol_of(root) <> $symbol::varchar
order by root
