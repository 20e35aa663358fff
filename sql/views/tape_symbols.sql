-- views.tape_symbols: the symbols of a session's files, with their rows: the session's own first,
-- which is SPX where there is any, else the one with the most rows.
-- grain: symbol
-- reads: the files of tape.prints or tape.quotes
-- param: files
with

roots as (
    select root, count(*) as row_count
    from read_parquet($files::varchar[], hive_partitioning = false)
    group by root
)

select symbol_of(root) as symbol, sum(row_count)::bigint as row_count
from roots
group by symbol
order by symbol <> 'SPX', row_count desc, symbol
