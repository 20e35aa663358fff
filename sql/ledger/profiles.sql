-- ledger.profiles: net dealer gamma over index points, every minute and basis.
-- grain: minute_et, book_basis, index_point
-- reads: book.profiles, tape.session
select
    session.session_date,
    profiles.minute_et,
    profiles.book_basis,
    profiles.index_point,
    profiles.dealer_gamma_musd_per_point
from book.profiles as profiles
cross join tape.session as session
order by profiles.minute_et, profiles.book_basis, profiles.index_point
