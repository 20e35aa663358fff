-- ledger.expiry_levels: the levels of every minute by bucket of expiries, for each basis.
-- grain: minute_et, book_basis, bucket
-- reads: levels.expiry_levels, tape.session
select
    session.session_date,
    levels.minute_et,
    levels.book_basis,
    levels.bucket,
    levels.expiry,
    levels.net_gamma_musd_per_point,
    levels.net_gamma_deviation_musd,
    levels.p_positive,
    levels.regime,
    levels.flip,
    levels.flip_lo,
    levels.flip_hi,
    levels.call_wall,
    levels.put_wall,
    levels.measured_share,
    levels.priced_share,
    levels.gross_share,
    levels.monthly_expiry,
    levels.monthly_share,
    levels.reason
from levels.expiry_levels as levels
cross join tape.session as session
order by levels.minute_et, levels.book_basis, levels.bucket
