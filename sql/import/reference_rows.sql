-- import.reference_rows: a reference table that comes with the product, as text.
-- grain: the first column
-- reads: the files of data/reference
-- param: file
select *
from read_csv($file, all_varchar = true, header = true, hive_partitioning = false)
