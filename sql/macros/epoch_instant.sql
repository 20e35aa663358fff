-- Which power of ten of a second digits since 1970 count, by how many they are: 0 seconds, 3, 6, or
-- 9 nanoseconds; null for other text. One cell decides nothing: a file has the unit of its median.
create or replace macro epoch_power(text) as
    case length(regexp_extract(text, '^([0-9]{9,19})(?:[.][0-9]*)?$', 1))
        when 9 then 0 when 10 then 0
        when 12 then 3 when 13 then 3
        when 15 then 6 when 16 then 6
        when 18 then 9 when 19 then 9
    end;

-- Six digits of what stands after the point, as a number.
create or replace macro epoch_fraction(text) as
    coalesce(
        try_cast(rpad(left(regexp_extract(text, '[.]([0-9]+)$', 1), 6), 6, '0') as bigint), 0
    );

-- The UTC instant of digits in the unit of their file; null for digits of another unit.
create or replace macro epoch_instant(text, power) as
    case when epoch_power(text) = power then make_timestamp(
        case power
            when 0 then string_split(text, '.')[1]::bigint * 1000000 + epoch_fraction(text)
            when 3 then string_split(text, '.')[1]::bigint * 1000 + epoch_fraction(text) // 1000
            when 6 then string_split(text, '.')[1]::bigint
            else string_split(text, '.')[1]::bigint // 1000
        end
    ) end;
