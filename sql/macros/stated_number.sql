-- A number as a vendor states it: NaN and infinity stand for "not there".
create or replace macro stated_number(value) as
    case when isfinite(try_cast(value as double)) then try_cast(value as double) end;
