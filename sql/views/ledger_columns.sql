-- views.ledger_columns: the columns of a table or view of the ledger, in their order.
-- grain: name
-- reads:
-- param: table
select column_name as name, lower(data_type) as type
from duckdb_columns()
where schema_name = 'ledger' and table_name = $table
order by column_index
