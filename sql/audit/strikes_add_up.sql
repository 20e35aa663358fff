-- audit.strikes_add_up: a ladder of strikes that lacks one, or has one twice, contradicts the net
-- gamma of its book, and its highest bar may not be the wall. Strikes outside the published range
-- count as computed, so every published strike is checked against the sum.
-- grain: minute_et, book_basis
-- reads: ledger.strikes, levels.levels, levels.strikes, surface.spots
with

distant as (
    select
        spots.minute_et,
        strikes.book_basis,
        exact_units(strikes.call_musd + strikes.put_musd) as units
    from levels.strikes as strikes
    inner join surface.spots as spots using (minute_at)
    where strikes.bucket = 'all'
        and abs(strikes.strike - spots.spot) > scan_steps() * scan_point(spots.spot)
    group by spots.minute_et, strikes.book_basis
),

published as (
    select minute_et, book_basis, exact_units(call_musd + put_musd) as units
    from ledger.strikes
    group by minute_et, book_basis
)

select
    minute_et,
    book_basis,
    levels.net_gamma_musd_per_point as net_musd,
    published.units::double / 1e10 as published_musd,
    distant.units::double / 1e10 as distant_musd
from levels.levels as levels
full join published using (minute_et, book_basis)
left join distant using (minute_et, book_basis)
where
    coalesce(published.units, 0) + coalesce(distant.units, 0)
    <> (coalesce(levels.net_gamma_musd_per_point, 0) * 1e10)::bigint
