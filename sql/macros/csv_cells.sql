-- The cells of one CSV line: quoted cells lose their quotes, null when a quote stays open.
create or replace macro csv_cells(line) as
    case
        when not contains(line, '"') then string_split(line, ',')
        -- quotes around whole cells, none with a comma or a quote in it: many times faster
        when regexp_full_match(line, '(?:"[^",]*"|[^",]*)(?:,(?:"[^",]*"|[^",]*))*')
            then string_split(replace(line, '"', ''), ',')
        when array_to_string(regexp_extract_all(line || ',', '("([^"]|"")*"|[^",]*),'), '')
            = line || ','
            then list_transform(
                regexp_extract_all(line || ',', '("([^"]|"")*"|[^",]*),'),
                lambda cell: case
                    when starts_with(cell, '"') then replace(cell[2:-3], '""', '"')
                    else cell[:-2]
                end
            )
    end;
