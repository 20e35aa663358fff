-- views.level_ladders: dealer gamma by strike, the strikes as lists, rising.
-- grain: minute_et, book_basis
-- reads: levels.strikes
select
    minute_et,
    book_basis,
    list(strike order by strike) as strikes,
    list(call_musd order by strike) as calls,
    list(put_musd order by strike) as puts
from levels.strikes
group by minute_et, book_basis
order by minute_et, book_basis
