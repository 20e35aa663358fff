-- audit.exposures_add_up: cells of strikes and expiries that lack one, or have one twice, contradict
-- the ladder of their book or its net gamma: each strike over its expiries must have the gamma of
-- the ladder, and the cells of each bucket of expiries its net gamma. A bucket of which too little is
-- priced has no net gamma, and a book of which that is so has no cells: neither contradicts anything.
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

buckets as (
    select minute_et, book_basis, bucket, expiry, net_gamma_musd_per_point
    from ledger.expiry_levels
    where has_exposures(minute_et) and net_gamma_musd_per_point is not null
    qualify bool_or(bucket = 'all') over (partition by minute_et, book_basis)
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
    from buckets
    group by minute_et, book_basis, bucket
),

published as (
    select minute_et, book_basis, 'strike ' || strike as part, sum(units) as units
    from cells
    where strike is not null
    group by minute_et, book_basis, strike
    union all
    select buckets.minute_et, buckets.book_basis, buckets.bucket, sum(cells.units)
    from buckets
    inner join cells
        on cells.minute_et = buckets.minute_et
        and cells.book_basis = buckets.book_basis
        and (buckets.bucket = 'all' or cells.expiry = buckets.expiry)
    group by buckets.minute_et, buckets.book_basis, buckets.bucket
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
