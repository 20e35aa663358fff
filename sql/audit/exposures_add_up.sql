-- audit.exposures_add_up: cells of strikes and expiries that lack one, or have one twice, contradict
-- the ladder of their book or its net gamma: each strike over its expiries must have the gamma of
-- the ladder, and the cells of each bucket of expiries its net gamma.
-- grain: minute_et, book_basis, part
-- reads: ledger.expiry_levels, ledger.exposures, ledger.strikes
with

cells as (
    select
        minute_et,
        book_basis,
        expiry,
        strike,
        exact_units(gamma_musd) as units
    from ledger.exposures
    group by minute_et, book_basis, expiry, strike
),

expected as (
    select
        minute_et,
        book_basis,
        'strike ' || strike as part,
        exact_units(call_musd + put_musd) as units
    from ledger.strikes
    where has_exposures(minute_et)
    group by minute_et, book_basis, strike
    union all
    select minute_et, book_basis, bucket, exact_units(net_gamma_musd_per_point)
    from ledger.expiry_levels
    where has_exposures(minute_et)
    group by minute_et, book_basis, bucket
),

published as (
    select minute_et, book_basis, 'strike ' || strike as part, sum(units) as units
    from cells
    where strike is not null
    group by minute_et, book_basis, strike
    union all
    select levels.minute_et, levels.book_basis, levels.bucket, sum(cells.units)
    from ledger.expiry_levels as levels
    inner join cells
        on cells.minute_et = levels.minute_et
        and cells.book_basis = levels.book_basis
        and (levels.bucket = 'all' or cells.expiry = levels.expiry)
    group by levels.minute_et, levels.book_basis, levels.bucket
)

select
    minute_et,
    book_basis,
    part,
    expected.units::double / 1e10 as expected_musd,
    published.units::double / 1e10 as published_musd
from expected
full join published using (minute_et, book_basis, part)
where coalesce(expected.units, 0) <> coalesce(published.units, 0)
