-- import.parquet_columns: the columns of a Parquet file, with all that it says of their types.
-- grain: name
-- reads: the files of a vendor
-- param: path
select name, concat_ws(' ', type, type_length, converted_type, logical_type) as type
from parquet_schema($path)
where type is not null
