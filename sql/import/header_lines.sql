-- import.header_lines: the first lines of a file that hold anything: one of them is its header.
-- grain: line_number
-- reads: the files of a vendor
-- param: most, path
select line_number, trim(line) as text, csv_cells(line) as cells
from text_lines($path)
where trim(line) <> '' and line_number <= $most::bigint
order by line_number
