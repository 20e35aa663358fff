-- views.session_levels: the levels of every minute and book, for the archive.
-- grain: book_basis, minute_et
-- reads: ledger.levels
select
    book_basis,
    minute_et,
    spot,
    flip,
    flip_lo,
    flip_hi,
    call_wall,
    put_wall,
    net_gamma_musd_per_point,
    reason,
    p_positive,
    sessions_carried,
    spot_source,
    spot_error
from ledger.levels
order by book_basis, minute_et
