-- import.parquet_columns: the columns of a Parquet file with their types; 'NULL' where the file
-- states that a column never holds a value. Fields within a column are no columns.
-- grain: name
-- reads: the files of a vendor
-- param: path
with

columns as (
    select column_name as name, column_type as type
    from (describe select * from read_parquet($path, hive_partitioning = false))
),

untyped as (select distinct name from parquet_schema($path) where logical_type = 'NullType()')

select
    columns.name,
    case when untyped.name is not null and columns.type = 'INTEGER' then 'NULL'
        else columns.type
    end as type
from columns
left join untyped on untyped.name = columns.name
