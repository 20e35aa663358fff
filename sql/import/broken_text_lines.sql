-- import.broken_text_lines: the text of the rows of a text file that stay out.
-- grain: line_number
-- reads: import.broken, the files of a vendor
-- param: path
select line_number, left(line, 1000) as line
from text_lines($path)
semi join import.broken using (line_number)
