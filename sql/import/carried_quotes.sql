-- import.carried_quotes: the new quotes of a file that has none for a minute in which nothing
-- changed, and for each such minute the quote before it: from the first minute of the file, or the
-- quote that the tape has of the minute before it, to the last minute of the file. Never from one
-- file to another with minutes between them, nor beyond the session.
-- grain: row_id, minute_at
-- reads: import.days, import.existing, import.fresh_rows, import.judged
with

spans as (
    select
        judged.session_date,
        list(distinct root) as roots,
        min(minute_at) as first_minute_at,
        least(max(minute_at), any_value(days.closes_at)) as last_minute_at
    from import.judged as judged
    inner join import.days as days on days.day = judged.session_date
    where reason is null and skip_reason is null
    group by judged.session_date
),

states as (
    select * from import.fresh_rows
    union all by name
    select -1 as row_id, -1 as line_number, existing.*
    from import.existing as existing
),

followed as (
    select
        states.*,
        least(
            lead(minute_at) over (
                partition by session_date, root, expiry, strike, option_type order by minute_at
            ),
            spans.last_minute_at + interval 1 minute
        ) as until_at
    from states
    inner join spans using (session_date)
    where list_contains(spans.roots, root)
        and states.minute_at >= spans.first_minute_at - interval 1 minute
),

carried as (
    select
        * exclude (minute_at, until_at),
        unnest(range(minute_at + interval 1 minute, until_at, interval 1 minute)) as minute_at
    from followed
    where coalesce(best_bid, best_ask) is not null
)

select * from import.fresh_rows
union all by name
select * replace (
    minute_at - interval 1 microsecond as quoted_at,
    greatest(known_at, minute_at - interval 1 microsecond) as known_at
)
from carried
