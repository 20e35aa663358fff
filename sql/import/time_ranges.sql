-- import.time_ranges: ranges of the instants of a file's quotes, index values or futures prices, by
-- session.
-- grain: session_date
-- reads: import.judged
select
    session_date::varchar as session_date,
    'at' as kind,
    epoch_us(min(columns('^(minute_at|spotted_at|priced_at)$')))::varchar as least,
    epoch_us(max(columns('^(minute_at|spotted_at|priced_at)$')))::varchar as greatest
from import.judged
where reason is null and skip_reason is null
group by session_date
order by session_date
