-- import.print_ranges: ranges of the instants and numbers of a file's prints, by session. A print
-- is recognised by its instant or its vendor sequence; its own sequence is the vendor's, or made of
-- its instant (import.sequenced_prints). A vendor may number several series at a time: gaps of more
-- than a sixteenth of all its numbers divide them into ranges.
-- grain: session_date, kind, least
-- reads: import.days, import.judged
with

valid_rows as (
    select
        judged.session_date,
        judged.printed_at,
        judged.vendor_sequence::hugeint as number,
        tape_instant(printed_at, days.starts_at) as instant
    from import.judged as judged
    inner join import.days as days on days.day = judged.session_date
    where reason is null and skip_reason is null and unknown_condition is null
),

extents as (
    select session_date, min(number) as lowest, max(number) - min(number) as extent
    from valid_rows
    where number is not null
    group by session_date
),

-- few enough to look for gaps between them
buckets as (
    select
        session_date,
        extent,
        min(number) as least,
        max(number) as greatest
    from valid_rows
    inner join extents using (session_date)
    where number is not null
    group by session_date, extent, (number - lowest) * 256 // (extent + 1)
),

firsts as (
    select *, (least - lag(greatest) over one_session) * 16 > extent as is_first
    from buckets
    window one_session as (partition by session_date order by least)
),

lines as (
    select *, count(*) filter (is_first) over (partition by session_date order by least) as line
    from firsts
),

ranges as (
    select session_date, 'number' as kind, min(least) as least, max(greatest) as greatest
    from lines
    group by session_date, line
    union all
    select session_date, 'number', min(instant) * 100000, max(instant) * 100000 + 99999
    from valid_rows
    group by session_date
    union all
    select session_date, 'at', epoch_us(min(printed_at)), epoch_us(max(printed_at))
    from valid_rows
    group by session_date
)

select
    session_date::varchar as session_date,
    kind,
    least::varchar as least,
    greatest::varchar as greatest
from ranges
order by session_date, kind, ranges.least
