-- views.level_minutes: the levels of a session, a row a minute and book, as they are answered from.
-- grain: minute_et, book_basis
-- reads: levels.levels
select * exclude (session_date, priced_share)
from levels.levels
order by minute_et, book_basis
