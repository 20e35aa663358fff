-- audit.strikes_add_up: a ladder of strikes that lacks one, or has one twice, shows another book
-- than the net gamma beside it, and its highest bar may not be the wall. What lies further from the
-- index than is published counts as it was computed, so every published strike is held to the sum.
-- grain: minute_et, book_basis
-- reads: ledger.strikes, levels.levels, levels.strikes, surface.spots
with

apart as (
    select
        spots.minute_et,
        strikes.book_basis,
        exact_units(strikes.call_musd + strikes.put_musd) as units
    from levels.strikes as strikes
    inner join surface.spots as spots using (minute_at)
    where abs(strikes.strike - spots.spot) > scan_steps() * scan_point(spots.spot)
    group by spots.minute_et, strikes.book_basis
),

told as (
    select minute_et, book_basis, exact_units(call_musd + put_musd) as units
    from ledger.strikes
    group by minute_et, book_basis
)

select
    minute_et,
    book_basis,
    levels.net_gamma_musd_per_point as net_musd,
    told.units::double / 1e10 as told_musd,
    apart.units::double / 1e10 as apart_musd
from levels.levels as levels
full join told using (minute_et, book_basis)
left join apart using (minute_et, book_basis)
where
    coalesce(told.units, 0) + coalesce(apart.units, 0)
    <> (coalesce(levels.net_gamma_musd_per_point, 0) * 1e10)::bigint
