-- ledger.exposures: dealers' delta, gamma, vanna and charm by strike and expiry, at the first state
-- and every fifth minute, for each basis. A book without net gamma has none.
-- grain: minute_et, book_basis, root, expiry, strike
-- reads: book.exposures, levels.levels, surface.spots, tape.session
select
    session.session_date,
    spots.minute_et,
    exposures.book_basis,
    exposures.root,
    exposures.expiry,
    exposures.strike,
    exposures.delta_musd,
    exposures.gamma_musd,
    exposures.vanna_musd,
    exposures.charm_musd,
    exposures.delta_deviation_musd,
    exposures.gamma_deviation_musd,
    exposures.vanna_deviation_musd,
    exposures.charm_deviation_musd
from book.exposures as exposures
inner join surface.spots as spots using (minute_at)
inner join levels.levels as levels using (minute_et, book_basis)
cross join tape.session as session
where levels.net_gamma_musd_per_point is not null
order by spots.minute_et, exposures.book_basis, exposures.expiry, exposures.root, exposures.strike
