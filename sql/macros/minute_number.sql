-- Minutes since midnight of an HH:MM.
create or replace macro minute_number(minute_et) as
    left(minute_et, 2)::integer * 60 + right(minute_et, 2)::integer;
