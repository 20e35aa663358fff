-- views.exposure_cells: dealers' exposures by strike and expiry, a book's cells as lists: expiries and
-- strikes rising, those further off last.
-- grain: minute_et, book_basis
-- reads: levels.exposures
select
    minute_et,
    book_basis,
    list(root order by expiry, root, strike) as roots,
    list(expiry::varchar order by expiry, root, strike) as expiries,
    list(strike order by expiry, root, strike) as strikes,
    list([delta_musd, delta_deviation_musd::double] order by expiry, root, strike) as delta,
    list([gamma_musd, gamma_deviation_musd::double] order by expiry, root, strike) as gamma,
    list([vanna_musd, vanna_deviation_musd::double] order by expiry, root, strike) as vanna,
    list([charm_musd, charm_deviation_musd::double] order by expiry, root, strike) as charm
from levels.exposures
group by minute_et, book_basis
order by minute_et, book_basis
