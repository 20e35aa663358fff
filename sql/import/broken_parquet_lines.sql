-- import.broken_parquet_lines: the same of a Parquet file.
-- grain: line_number
-- reads: import.broken, the files of a vendor
-- param: path
with

lines as (
    select file_row_number + 1 as line_number, to_json(file_row)::varchar as line
    from read_parquet($path, file_row_number = true, hive_partitioning = false) as file_row
)

select line_number, line
from lines
semi join import.broken using (line_number)
