-- A strike as traders write it: 5950, 12.5.
create or replace macro strike_text(strike) as
    case
        when strike = round(strike) then strike::bigint::varchar
        else rtrim(printf('%.3f', strike), '0')
    end;
