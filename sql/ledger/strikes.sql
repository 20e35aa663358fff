-- ledger.strikes: dealer gamma by strike, every minute and basis, as far from the index as roots
-- are looked for: 300 points. A book without net gamma has none.
-- grain: minute_et, book_basis, strike
-- reads: levels.levels, levels.strikes, surface.spots, tape.session
select
    session.session_date,
    spots.minute_et,
    strikes.book_basis,
    strikes.strike,
    strikes.call_musd,
    strikes.put_musd
from levels.strikes as strikes
inner join surface.spots as spots using (minute_at)
inner join levels.levels as levels using (minute_et, book_basis)
cross join tape.session as session
where strikes.bucket = 'all'
    and levels.net_gamma_musd_per_point is not null
    and abs(strikes.strike - spots.spot) <= scan_steps() * scan_point(spots.spot)
    -- both are null together: a book that has nothing of the strike as yet
    and strikes.call_musd is not null
order by spots.minute_et, strikes.book_basis, strikes.strike
