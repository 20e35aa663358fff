-- import.judged_spots: every index value with its session, and the reason why it may not be used.
-- One that names its symbol is of another root when none of the wanted roots is of that symbol. A
-- value of a night or a weekend may name the session it is stored for; it is then at most a week
-- older than that session.
-- grain: that of import.candidates
-- reads: import.candidates, import.days
-- param: day, roots
with

dated_rows as (
    select
        row.*,
        coalesce(row.instant_at, row.wall_at - days.wall_offset) as spotted_at,
        session_at(spotted_at, days) as own_session_date,
        coalesce(row.session_date, own_session_date) as target_session_date,
        symbol_of(row.symbol) as own_symbol
    from import.candidates as row
    left join import.days as days
        on days.day = coalesce(row.wall_at, row.instant_at - interval 5 hours)::date
)

select
    dated_rows.* replace (
        coalesce(skip_reason, case
            when row_reason is null and len($roots::varchar[]) > 0
                and own_symbol not in (
                    select symbol_of(wanted.root) from unnest($roots::varchar[]) as wanted(root)
                ) then 'other root'
            when target_session_date <> $day::date then 'other day'
        end) as skip_reason,
        target_session_date as session_date,
        coalesce(known_at, spotted_at) as known_at,
        own_symbol as symbol
    ),
    coalesce(row_reason, time_fault('spotted_at', spotted_at), case
        when coalesce(not (is_price(spot) and spot > 0), true) then 'spot is not a number above 0'
        when target_session_date is null then 'spotted_at is in no trading session'
        when session.session_date is null then 'session_date is not a trading session'
        when spotted_at >= session.evening_at
            or spotted_at < session.evening_at - interval 8 days
            then 'session_date is not the session of spotted_at'
        when known_at < spotted_at then 'known_at is before spotted_at'
        when not regexp_full_match(own_symbol, '[A-Z][A-Z0-9]{0,5}')
            then 'symbol is not one such as SPX'
    end) as reason,
    null::varchar as unknown_condition
from dated_rows
left join import.days as session on session.day = target_session_date
