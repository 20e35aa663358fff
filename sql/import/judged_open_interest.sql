-- import.judged_open_interest: every open interest with its session, and why it may not be used. One
-- that has a time of its own is of the session of that time, and known from then on.
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
        coalesce(row.instant_at, row.wall_at - days.wall_offset) as reported_at,
        coalesce(row.session_date, session_at(reported_at, days)) as target_session_date
    from import.candidates as row
    left join import.days as days
        on days.day = coalesce(row.wall_at, row.instant_at - interval 5 hours)::date
)

select
    row.* replace (
        contract_skip_reason(
            skip_reason, row_reason, root, target_session_date, $roots::varchar[], $day::date
        ) as skip_reason,
        target_session_date as session_date,
        coalesce(known_at, reported_at) as known_at
    ),
    coalesce(
        row_reason,
        contract_fault(root, expiry, strike, option_type),
        case
            when target_session_date is null and reported_at is not null
                then 'its time is in no trading session'
            when target_session_date is null then 'session_date is missing or is not a date'
            when open_interest is null or not (open_interest >= 0 and open_interest < 1e15)
                or open_interest <> floor(open_interest)
                then 'open_interest is not a whole number of contracts'
            when days.session_date is null then 'session_date is not a trading session'
            when expiry < target_session_date then 'expiry is before the session'
        end
    ) as reason,
    null::varchar as unknown_condition
from dated_rows as row
left join import.days as days on days.day = row.target_session_date
