-- import.judged_dealer_positions: every dealer position with why it may not be used.
-- grain: that of import.candidates
-- reads: import.candidates, import.days
-- param: closed_weekdays, day, friday_expiries_from, roots
with

dated_rows as (
    select * replace (
        settled_expiry(expiry, $closed_weekdays::date[], $friday_expiries_from::date)
            as expiry
    )
    from import.candidates
)

select
    row.* replace (
        contract_skip_reason(
            skip_reason, row_reason, root, row.session_date, $roots::varchar[], $day::date
        ) as skip_reason
    ),
    coalesce(
        row_reason,
        cell_reason,
        contract_fault(root, expiry, strike, option_type),
        case
            when row.session_date is null then 'session_date is missing or is not a date'
            when coalesce(not (abs(quantity) < 1e15 and quantity = floor(quantity)), true)
                then 'quantity is not a whole number of contracts'
            when not (guessed_quantity between 0 and 1e15)
                then format('guessed_quantity is {}; give whole contracts such as 400',
                    guessed_quantity)
            when days.session_date is null then 'session_date is not a trading session'
            when expiry < row.session_date then 'expiry is before the session'
        end
    ) as reason,
    null::varchar as unknown_condition
from dated_rows as row
left join import.days as days on days.day = row.session_date
