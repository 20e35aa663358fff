-- import.cells: the rows of a text file below its header as cells, and why one is broken.
-- grain: line_number
-- reads: the files of a vendor
-- param: count, first, header, names, path, ragged, replacement, text
with

split as (
    select
        line_number,
        case
            when length(line) > 10000 then 'is longer than 10000 characters'
            when contains(line, $replacement) then 'holds bytes that are not text'
        end as broken,
        case when broken is null then csv_cells(line) end as cells,
        -- cells that stand empty at the end say nothing: a spreadsheet pads its rows with them
        case
            when ends_with(line, ',') then len(cells) - length(line) + length(rtrim(line, ','))
            else len(cells)
        end as filled_count,
        case when contains(line, $first) then
            list_bool_and(list_transform($names::varchar[], lambda name: contains(line, name)))
        end as is_header
    from text_lines($path)
    -- a line that repeats the header is no row: files that were joined have some
    where line_number > $header::bigint
        and trim(line) <> ''
        and case
            when contains(line, $text) then trim(line, chr(65279) || ' ') <> $text
            when starts_with(line, ',') then trim(line, ', ') <> ''
            else true
        end
)

select
    line_number,
    case
        when broken is not null then broken
        when cells is null then 'has a quote that stays open'
        when is_header then 'is another header'
        when not $ragged::boolean
            and (len(cells) < $count::bigint or filled_count > $count::bigint)
            then format('has {} columns, the header has {}', len(cells), $count::bigint)
    end as row_reason,
    len(cells) as cell_count,
    filled_count,
    cells
from split
