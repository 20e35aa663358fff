-- import.preamble: the lines of a file above its header.
-- grain: line_number
-- reads: the files of a vendor
-- param: header, path
select line_number, line
from text_lines($path)
where line_number < $header::bigint
