-- A whole number: 232.0 is 232, while 2.5, or 1.2E+10 that has lost digits, is none.
create or replace macro whole_number(value) as
    case
        when typeof(value) <> 'VARCHAR' then
            case when try_cast(value as double) = floor(try_cast(value as double))
                then try_cast(value as bigint) end
        when is_digits(value::varchar) then try_cast(value as bigint)
        else try_cast(
            regexp_extract(value::varchar, '^([+-]?[0-9]+)(?:[.]0*)?$', 1) as bigint
        )
    end;

-- The fault of a cell that should hold a whole number or nothing; null when there is none.
create or replace macro whole_fault(name, value) as
    case when value is not null and whole_number(value) is null
        then format('{} is {}, not a whole number such as 1234567', name, left(value::varchar, 40))
    end;

-- An id, or several with commas, without the .0 that a table of decimals gives them.
create or replace macro whole_ids(text) as
    case when is_digits(text) then text
        else regexp_replace(text, '\b([0-9]+)[.]0*\b', '\1', 'g') end;
