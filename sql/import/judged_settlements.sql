-- import.judged_settlements: every settlement value with why it may not be used. One that names its
-- symbol is of another root when none of the wanted roots is of that symbol.
-- grain: that of import.candidates
-- reads: import.candidates, import.days
-- param: day, roots
with

dated_rows as (
    select
        row.* exclude (symbol),
        days.session_date as own_session_date,
        symbol_of(row.symbol) as symbol
    from import.candidates as row
    left join import.days as days on days.day = row.session_date
)

select
    * replace (
        coalesce(skip_reason, case
            when row_reason is null and len($roots::varchar[]) > 0
                and symbol not in (
                    select symbol_of(wanted.root) from unnest($roots::varchar[]) as wanted(root)
                ) then 'other root'
            when session_date <> $day::date then 'other day'
        end) as skip_reason
    ),
    coalesce(row_reason, case
        when session_date is null then 'session_date is missing or is not a date'
        when own_session_date is null then 'session_date is not a trading session'
        when coalesce(not (is_price(settlement) and settlement > 0), true)
            then 'settlement is not a number above 0'
        when not regexp_full_match(symbol, '[A-Z][A-Z0-9]{0,5}')
            then 'symbol is not one such as SPX'
    end) as reason,
    null::varchar as unknown_condition
from dated_rows
