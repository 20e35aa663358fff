-- import.conditions: the reference table of conditions, as text.
-- grain: letter
-- reads: the files of data/reference
-- param: file
select *
from read_csv($file, all_varchar = true, header = true, hive_partitioning = false)
