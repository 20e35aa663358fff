-- views.session_profiles: net dealer gamma over index points, every minute and book, for the
-- archive.
-- grain: book_basis, minute_et, index_point
-- reads: ledger.profiles
select
    book_basis,
    minute_et,
    index_point,
    dealer_gamma_musd_per_point
from ledger.profiles
order by book_basis, minute_et, index_point
