-- views.session_strikes: dealer gamma by strike, every minute and book, for the archive.
-- grain: book_basis, minute_et, strike
-- reads: ledger.strikes
select
    book_basis,
    minute_et,
    strike,
    call_musd,
    put_musd
from ledger.strikes
order by book_basis, minute_et, strike
