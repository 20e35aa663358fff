-- import.written_rows: the new rows of a session, or of all dates, in the order of their file.
-- Nothing in it was known before the news of its day.
-- grain: row_id
-- reads: import.accepted
-- param: news, session
select accepted.* replace (greatest(known_at, news.from_at) as known_at)
from import.accepted as accepted
left join news_days($news) as news using (session_date)
where $session::date is null or session_date = $session::date
order by row_id
