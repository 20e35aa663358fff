-- True for a price without a fraction, as 4200000000 or 12.000000000.
create or replace macro is_whole_price(price) as
    regexp_full_match(price, '-?[0-9]+([.]0*)?');

-- True when the prices of a file count 1e-9: none has a fraction, and the middle one is no less
-- than a cent when read so. One cell decides nothing: 12 among decimals stays 12.
create or replace macro are_fixed_prices(price) as
    coalesce(
        bool_and(is_whole_price(price)) and quantile_disc(try_cast(price as double), 0.5) >= 1e7,
        false
    );

-- A Databento price, as all prices of its file count; the largest 64-bit number is "undefined".
create or replace macro databento_price(price, is_fixed) as
    case
        when price = '9223372036854775807' then null
        when is_fixed then try_cast(price as double) / 1e9
        else try_cast(price as double)
    end;
