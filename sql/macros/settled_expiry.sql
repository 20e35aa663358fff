-- The day on which a contract settles: its expiry, or the trading day before one that is a
-- Saturday, as monthly expiries were written until February 2015. A later Saturday stays.
create or replace macro settled_expiry(expiry, closed_fridays) as
    case
        when isfinite(expiry) and dayofweek(expiry) = 6 and expiry < date '2015-02-01' then
            expiry - (case when list_contains(closed_fridays, expiry - 1) then 2 else 1 end)::integer
        else expiry
    end;
