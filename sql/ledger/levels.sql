-- ledger.levels: the levels of every minute, for each basis of the dealer book.
-- grain: minute_et, book_basis
-- reads: levels.levels, tape.session
select
    session.session_date,
    levels.minute_et,
    levels.book_basis,
    levels.spot,
    levels.net_gamma_musd_per_point,
    levels.regime,
    levels.flip,
    levels.flip_roots,
    levels.call_wall,
    levels.put_wall,
    levels.expected_move_points,
    levels.session_expected_move_points,
    levels.expected_move_reason,
    levels.measured_share,
    levels.priced_share,
    levels.reason,
    levels.flip_lo,
    levels.flip_hi,
    levels.net_gamma_deviation_musd,
    levels.p_positive,
    levels.sessions_carried,
    levels.spot_source,
    levels.spot_error
from levels.levels as levels
cross join tape.session as session
order by levels.minute_et, levels.book_basis
