-- ledger.tape_gaps: the part of the session without prints, and the longest stretch of it.
-- grain: one row
-- reads: ledger.tape_minutes
with

numbered as (
    select
        print_count > 0 as is_present,
        row_number() over (order by minute_at) as minute_number
    from ledger.tape_minutes
),

-- minutes in a row have numbers that rise as their rank does
missing as (
    select minute_number - row_number() over (order by minute_number) as gap_number
    from numbered
    where not is_present
),

gaps as (
    select count(*) as minute_count
    from missing
    group by gap_number
)

select
    count(*) as minutes_expected,
    count(*) filter (where is_present) as minutes_present,
    count(*) filter (where not is_present) as minutes_missing,
    count(*) filter (where not is_present) / count(*) as minutes_missing_share,
    (select coalesce(max(minute_count), 0) from gaps) as longest_gap_minutes,
    coalesce(min(minute_number) filter (where is_present) - 1, count(*)) as minutes_silent_at_open,
    count(*) - coalesce(max(minute_number) filter (where is_present), 0)
        as minutes_silent_at_close
from numbered
