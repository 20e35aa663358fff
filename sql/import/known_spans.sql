-- import.known_spans: between which instants the new records of each week became known.
-- grain: monday, source
-- reads: import.accepted
select
    session_date::varchar as monday,
    source,
    epoch_ms(min(known_at)) as from_ms,
    epoch_ms(max(known_at)) as to_ms,
    count(*) as record_count
from import.accepted
group by session_date, source
order by monday, source
