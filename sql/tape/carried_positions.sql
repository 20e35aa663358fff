-- tape.carried_positions: dealer positions of a symbol at the close of the session before.
-- grain: root, expiry, strike, option_type
-- reads: the files of closing_positions
-- param: file, symbol
select root, expiry, strike, option_type, quantity
from read_parquet($file, hive_partitioning = false)
where symbol_of(root) = $symbol::varchar
