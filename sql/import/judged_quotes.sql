-- import.judged_quotes: every minute quote with its session, and why it may not be used.
-- grain: that of import.candidates
-- reads: import.candidates, import.days
-- param: closed_weekdays, day, friday_expiries_from, roots
with

dated_rows as (
    select
        row.* replace (
            settled_expiry(row.expiry, $closed_weekdays::date[], $friday_expiries_from::date)
                as expiry
        ),
        coalesce(row.instant_at, row.wall_at - days.wall_offset) as minute_at,
        session_at(minute_at, days) as own_session_date,
        coalesce(row.quoted_at, minute_at - interval 1 microsecond) as stated_at
    from import.candidates as row
    left join import.days as days
        on days.day = coalesce(row.wall_at, row.instant_at - interval 5 hours)::date
)

select
    * replace (
        contract_skip_reason(
            skip_reason, row_reason, root, own_session_date, $roots::varchar[], $day::date
        ) as skip_reason,
        own_session_date as session_date,
        stated_at as quoted_at,
        coalesce(known_at, stated_at) as known_at
    ),
    coalesce(
        row_reason,
        time_fault('minute_at', minute_at),
        contract_fault(root, expiry, strike, option_type),
        case
            when not (is_price(coalesce(best_bid, 0)) and is_price(coalesce(best_ask, 0)))
                then 'best_bid or best_ask is not a price'
            when not (is_size(coalesce(bid_size, 0)) and is_size(coalesce(ask_size, 0)))
                then 'a quoted size is not a number of contracts'
            when minute_at <> date_trunc('minute', minute_at) then 'minute_at is not a whole minute'
            when stated_at >= minute_at then 'quoted_at is not before minute_at'
            when own_session_date is null then 'minute_at is in no trading session'
            when session_date <> own_session_date
                then 'session_date is not the session of minute_at'
            when expiry < own_session_date then 'expiry is before the session'
            when known_at < stated_at then 'known_at is before quoted_at'
        end
    ) as reason,
    null::varchar as unknown_condition
from dated_rows
