-- tape.named_columns: those of some columns that each file has.
-- grain: file_name
-- reads: the files of the tape
-- param: files, names
select file_name, string_agg(name) as names
from parquet_schema($files::varchar[])
where list_contains($names::varchar[], name)
group by file_name
