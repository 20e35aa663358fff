-- The session that trading at an instant belongs to, by the row of import.days for its day: from
-- 20:15 ET on that of the evening; before, the day's own, or on a holiday whose night session runs
-- the next business day's.
create or replace macro session_at(instant, days) as
    case
        when instant >= days.evening_at then days.evening_session_date
        when days.session_date is not null then days.session_date
        when instant < days.night_ends_at then days.holiday_session_date
    end;
