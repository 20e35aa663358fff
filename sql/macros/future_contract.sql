-- The parts of a dated future as exchanges write it, ESZ6, ESZ26 or ESZ2026: its root, the letter
-- of its month and its year; empty where a text is none.
create or replace macro future_parts(contract) as
    regexp_extract(
        contract,
        '^([A-Z0-9]{1,3}?)([FGHJKMNQUVXZ])([0-9]{1,2}|[0-9]{4})$',
        ['root', 'month', 'year']
    );

-- The year of a contract, of one digit the first such year from that of its session on.
create or replace macro future_year(digits, session_date) as
    case len(digits)
        when 1 then year(session_date)
            + (try_cast(digits as integer) - year(session_date) % 10 + 10) % 10
        when 2 then 2000 + try_cast(digits as integer)
        else try_cast(digits as integer)
    end;

-- The third Friday of the month that begins on a day.
create or replace macro third_friday(first_of_month) as
    first_of_month + ((5 - isodow(first_of_month) + 7) % 7 + 14)::integer;

-- When a contract of an index expires, by the letter of its month; null for another month.
create or replace macro future_expiry(month, year) as
    third_friday(make_date(
        year::bigint,
        case month when 'H' then 3 when 'M' then 6 when 'U' then 9 when 'Z' then 12 end,
        1
    ));

-- The symbol whose index a future of the tape is of, by its contract, whose month and year take two
-- letters; null where nobody says.
create or replace macro future_symbol(contract) as
    case contract[:-3] when 'ES' then 'SPX' end;
