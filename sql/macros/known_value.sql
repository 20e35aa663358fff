-- A number that a program wrote, which says "not known" by NaN: null for that.
create or replace macro known_value(value) as case when not isnan(value) then value end;
