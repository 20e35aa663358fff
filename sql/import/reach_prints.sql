-- import.reach_prints: between which instants and numbers the prints of a file lie, by session. A
-- print is known again by its instant or its vendor sequence; its own sequence is the vendor's, or
-- made of its instant (import.sequenced_prints). A vendor counts on several lines at a time: gaps
-- of more than a fiftieth of the whole divide their numbers into ranges, at most into sixteen.
with

sound as (
    select
        judged.session_date,
        judged.printed_at,
        judged.vendor_sequence as number,
        date_diff('microsecond', days.starts_at, printed_at) as instant
    from import.judged as judged
    join import.days as days on days.day = judged.session_date
    where reason is null and skip_reason is null and unknown_condition is null
),

numbers as (
    select
        session_date,
        number,
        number::hugeint - lag(number) over (partition by session_date order by number) as gap,
        max(number::hugeint) over one_session - min(number) over one_session as extent
    from sound
    where number is not null
    window one_session as (partition by session_date)
),

firsts as (
    select
        session_date,
        number,
        row_number() over (partition by session_date order by gap desc nulls first, number) <= 16
        and coalesce(gap * 50 > extent, true) as is_first
    from numbers
),

lines as (
    select
        session_date,
        number,
        count(*) filter (is_first) over (partition by session_date order by number, is_first desc)
            as line_number
    from firsts
),

ranges as (
    select session_date, 'number' as column_name, min(number) as least, max(number) as greatest
    from lines
    group by session_date, line_number
    union all
    select session_date, 'number', min(instant) * 100000, max(instant) * 100000 + 99999
    from sound
    group by session_date
    union all
    select session_date, 'printed_at', epoch_us(min(printed_at)), epoch_us(max(printed_at))
    from sound
    group by session_date
)

select
    session_date::varchar as session_date,
    column_name,
    least::varchar as least,
    greatest::varchar as greatest
from ranges
order by session_date, column_name, ranges.least
