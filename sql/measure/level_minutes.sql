-- measure.level_minutes: the levels of each minute of one session and kind of dealers, joined with
-- those of the true book; either may have no flip. The convention and the flow of the session do
-- not depend on the inventory: they stand once.
-- grain: inventory, book_basis, minute_et
-- reads: levels.flips, levels.walls, measure.estimates, tape.minutes
-- param: dealers, seed
select
    $seed::integer as seed,
    estimates.dealers,
    estimates.inventory,
    estimates.book_basis,
    estimates.minute_et,
    estimates.spot,
    estimates.flip,
    estimates.flip_lo,
    estimates.flip_hi,
    estimates.net_gamma_musd_per_point as gamma,
    estimates.p_positive,
    estimates.measured_share,
    estimates.reason,
    flips.flip as true_flip,
    walls.net_gamma_musd_per_point as true_gamma
from measure.estimates as estimates
inner join tape.minutes as minutes using (minute_et)
left join levels.flips as flips
    on flips.minute_at = minutes.minute_at
    and flips.book_basis = estimates.book_basis
    and flips.bucket = 'all'
left join levels.walls as walls
    on walls.minute_at = minutes.minute_at
    and walls.book_basis = estimates.book_basis
    and walls.bucket = 'all'
where estimates.dealers = $dealers::varchar
    and (estimates.book_basis = 'measured' or estimates.inventory = 'imported')
