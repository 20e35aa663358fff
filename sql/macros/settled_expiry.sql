-- The day on which a contract settles: its expiry, or the last trading day before one that is a
-- Saturday, as monthly expiries were written until `fridays_from`. A later Saturday stays.
create or replace macro settled_expiry(expiry, closed_weekdays, fridays_from) as
    case
        when isfinite(expiry) and dayofweek(expiry) = 6 and expiry < fridays_from then
            case
                -- nearly always: no list is looked through
                when not list_contains(closed_weekdays, expiry - 1) then expiry - 1
                else list_max(list_filter(
                    [expiry - 2, expiry - 3, expiry - 4, expiry - 5],
                    lambda day: not list_contains(closed_weekdays, day)
                ))
            end
        else expiry
    end;
