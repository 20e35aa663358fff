-- views.level_minutes: the levels of a session as responses use them, a row a minute and book.
-- grain: minute_et, book_basis
-- reads: levels.levels
select * exclude (session_date, priced_share)
from levels.levels
order by minute_et, book_basis
