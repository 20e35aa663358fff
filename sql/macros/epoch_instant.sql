-- Power of ten of the second that digits since 1970 count, by their number: 0 seconds, 3, 6, or
-- 9 nanoseconds; null for other text. One cell decides nothing: a file has the unit of its median.
create or replace macro epoch_power(text) as
    case case when is_digits(text) then length(text)
        else length(regexp_extract(text, '^([0-9]{9,19})[.][0-9]*$', 1)) end
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

-- The instant of whole units since 1970 and the microseconds of a second behind their point.
create or replace macro epoch_timestamp(whole, fraction, power) as make_timestamp(
    case power
        when 0 then whole * 1000000 + fraction
        when 3 then whole * 1000 + fraction // 1000
        when 6 then whole
        else whole // 1000
    end
);

-- The UTC instant of digits in the unit of their file; null for digits of another unit.
create or replace macro epoch_instant(text, power) as
    case when epoch_power(text) = power then
        case
            when is_digits(text) then epoch_timestamp(try_cast(text as bigint), 0, power)
            else epoch_timestamp(
                try_cast(string_split(text, '.')[1] as bigint), epoch_fraction(text), power
            )
        end
    end;
