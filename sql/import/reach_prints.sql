-- import.reach_prints: between which instants and numbers the prints of a file lie, by session. A
-- print is known again by its instant or its vendor sequence; its own sequence is the vendor's, or
-- made of its instant (import.sequenced_prints).
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

ranges as (
    select session_date, 'number' as column_name, min(number) as least, max(number) as greatest
    from sound
    where number is not null
    group by session_date
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
