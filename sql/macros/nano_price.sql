-- A Databento price: decimal as it stands, a whole number counts 1e-9, undefined is null.
create or replace macro nano_price(price) as
    case
        when price = '9223372036854775807' then null
        when regexp_full_match(price, '-?[0-9]+') then try_cast(price as bigint) / 1e9
        else try_cast(price as double)
    end;
