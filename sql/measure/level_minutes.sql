-- measure.level_minutes: the levels of each minute of one session, joined with those of the true
-- book; either may have no flip.
-- grain: inventory, book_basis, minute_et
-- reads: levels.flips, levels.walls, measure.levels_measured, measure.levels_naive, tape.minutes
-- param: seed
with

estimates as (
    select 'true inventory' as inventory, * from measure.levels_measured
    union all
    select 'open interest', * from measure.levels_naive
)

select
    $seed::integer as seed,
    estimates.inventory,
    estimates.book_basis,
    estimates.minute_et,
    estimates.spot,
    estimates.flip,
    estimates.flip_lo,
    estimates.flip_hi,
    estimates.net_gamma_musd_per_point as gamma,
    flips.flip as true_flip,
    walls.net_gamma_musd_per_point as true_gamma
from estimates
inner join tape.minutes as minutes using (minute_et)
left join levels.flips as flips using (minute_at, book_basis)
left join levels.walls as walls using (minute_at, book_basis)
