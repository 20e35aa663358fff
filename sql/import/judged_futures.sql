-- import.judged_futures: every price of a future with its session, and why it may not be used. The
-- contract gets the one digit of its year that exchanges write. Futures trade in hours that belong
-- to no session, and in calendar spreads: no state could use those prices. Of the trades of one
-- instant, such as those of an order that takes two prices, the first one counts.
-- grain: that of import.candidates
-- reads: import.candidates, import.days
-- param: day, roots
with

dated_rows as (
    select
        row.*,
        coalesce(row.instant_at, row.wall_at - days.wall_offset) as priced_at,
        session_at(priced_at, days) as own_session_date,
        future_parts(row.contract) as parts
    from import.candidates as row
    left join import.days as days
        on days.day = coalesce(row.wall_at, row.instant_at - interval 5 hours)::date
),

dated as (
    select
        *,
        future_year(parts.year, own_session_date) as year,
        future_expiry(parts.month, year) as expires_on
    from dated_rows
),

judged as (
    select
        * exclude (contract, skip_reason),
        parts.root || parts.month || right(parts.year, 1) as contract,
        coalesce(skip_reason, case
            when row_reason is not null then null
            when len($roots::varchar[]) > 0
                and parts.root <> ''
                and not list_contains($roots::varchar[], parts.root) then 'other root'
            when future_parts(split_part(dated.contract, '-', 1)).root <> ''
                and future_parts(split_part(dated.contract, '-', 2)).root <> ''
                then 'calendar spread'
            when own_session_date <> $day::date then 'other day'
            when time_fault('priced_at', priced_at) is null and own_session_date is null
                then 'no session'
        end) as skip_reason,
        coalesce(row_reason, time_fault('priced_at', priced_at), cell_reason, case
            when dated.contract is null then 'contract is missing'
            when expires_on is null then
                format('contract is {}, not a dated future such as ESZ6', left(dated.contract, 40))
            when expires_on < own_session_date
                then format('contract is {}, which had expired by then', dated.contract)
            when year > year(own_session_date) + 9 then
                format('contract is {}, which expires more than nine years later', dated.contract)
            when coalesce(not (is_price(price) and price > 0), true)
                then 'price is not a number above 0'
            when not is_size(volume) then 'volume is below 0 or too large'
            when session_date <> own_session_date
                then 'session_date is not the session of priced_at'
            when known_at < priced_at then 'known_at is before priced_at'
        end) as reason
    from dated
)

select
    * replace (
        coalesce(skip_reason, case
            when reason is null
                and (price, volume) is distinct from first_value((price, volume)) over one_instant
                then 'same instant'
        end) as skip_reason,
        own_session_date as session_date,
        coalesce(known_at, priced_at) as known_at
    ),
    null::varchar as unknown_condition
from judged
window one_instant as (
    partition by contract, priced_at, reason is null and skip_reason is null
    order by line_number
)
order by line_number
