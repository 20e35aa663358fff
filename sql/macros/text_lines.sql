-- The lines of a text file, each in one column.
create or replace macro text_lines(path) as table
    select row_number() over () as line_number, line
    from read_csv(
        path, columns = {'line': 'varchar'}, delim = '', quote = '', escape = '', header = false,
        auto_detect = false, strict_mode = false, max_line_size = 8388608,
        hive_partitioning = false
    )
