-- import.written_prints: the new prints of a session in the order of the tape. Nothing in it was
-- known before the news of its day.
-- grain: sequence
-- reads: import.accepted
-- param: news, session
select accepted.* replace (greatest(known_at, news.from_at) as known_at)
from import.accepted as accepted
left join news_days($news) as news using (session_date)
where session_date = $session::date
order by printed_at, sequence
