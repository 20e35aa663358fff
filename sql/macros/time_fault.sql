-- The fault of an instant, which `name` calls by its column; null when there is none.
create or replace macro time_fault(name, instant) as
    case
        when instant is null then name || ' is missing or is not a time'
        when instant < timestamp '2000-01-01' or instant > timestamp '2100-12-31'
            then name || ' is not between 2000 and 2100'
    end;
