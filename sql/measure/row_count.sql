-- measure.row_count: the rows of a table that a profile names.
-- grain: one row
-- reads:
-- param: table
select count(*) as row_count from query_table($table::varchar)
