-- import.reach_quotes: between which instants the quotes of a file lie, by session.
select
    session_date::varchar as session_date,
    'minute_at' as column_name,
    epoch_us(min(minute_at))::varchar as least,
    epoch_us(max(minute_at))::varchar as greatest
from import.judged
where reason is null and skip_reason is null
group by session_date
order by session_date
