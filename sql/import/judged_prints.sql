-- import.judged_prints: every print with its session, and why it may not be used.
-- grain: that of import.candidates
-- reads: import.candidates, import.condition_letters, import.days
-- param: closed_weekdays, day, friday_expiries_from, roots, vendor
with

dated_rows as (
    select
        row.* replace (
            settled_expiry(row.expiry, $closed_weekdays::date[], $friday_expiries_from::date)
                as expiry
        ),
        coalesce(row.instant_at, row.wall_at - days.wall_offset) as printed_at,
        session_at(printed_at, days) as own_session_date,
        letters.letter,
        coalesce(row.quoted_at, row.quoted_wall_at - days.wall_offset) as stood_at
    from import.candidates as row
    left join import.days as days
        on days.day = coalesce(row.wall_at, row.instant_at - interval 5 hours)::date
    left join import.condition_letters as letters using (condition_id)
),

conditioned as (
    select
        dated_rows.*,
        case
            when $vendor::varchar = 'polygon' and condition_id = '' then
                case when printed_at >= days.opens_at and printed_at < days.closes_at
                    then ' ' else 'v' end
            else letter
        end as condition
    from dated_rows
    left join import.days as days on days.day = own_session_date
)

select
    * replace (
        contract_skip_reason(
            skip_reason, row_reason, root, own_session_date, $roots::varchar[], $day::date
        ) as skip_reason,
        own_session_date as session_date,
        stood_at as quoted_at,
        coalesce(known_at, printed_at) as known_at
    ),
    coalesce(
        row_reason,
        cell_reason,
        time_fault('printed_at', printed_at),
        contract_fault(root, expiry, strike, option_type),
        strike_fault(strike, underlying_price),
        case
            when coalesce(not (size > 0 and size < 2e9 and size = floor(size)), true)
                then 'size is not a whole number from 1 to 1999999999'
            when price = 0 then 'price is 0, which is not a print'
            when price > 0 and price < 0.01
                then 'price is ' || price || ', below a cent, which is not a price of an option'
            when price >= 1e7 and isfinite(price)
                then 'price is ' || price || ', which is not a price of an option'
            when coalesce(not is_price(price), true) then 'price is not a number above 0'
            when not (is_price(coalesce(best_bid, 0)) and is_price(coalesce(best_ask, 0))
                and is_price(coalesce(underlying_price, 0))) then 'a quote is not a price'
            when not (is_size(coalesce(bid_size, 0)) and is_size(coalesce(ask_size, 0)))
                then 'a quoted size is not a number of contracts'
            when own_session_date is null then 'printed_at is in no trading session'
            when session_date <> own_session_date
                then 'session_date is not the session of printed_at'
            when expiry < own_session_date then 'expiry is before the session'
            when known_at < printed_at then 'known_at is before printed_at'
        end
    ) as reason,
    case
        when $vendor::varchar <> 'opra' and $vendor::varchar <> 'none' and condition is null
            then coalesce(condition_id, '')
        when condition is null then condition_id
    end as unknown_condition
from conditioned
