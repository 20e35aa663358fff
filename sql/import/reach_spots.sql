-- import.reach_spots: between which instants the spots of a file lie, by session.
select
    session_date::varchar as session_date,
    'spotted_at' as column_name,
    epoch_us(min(spotted_at))::varchar as least,
    epoch_us(max(spotted_at))::varchar as greatest
from import.judged
where reason is null and skip_reason is null
group by session_date
order by session_date
