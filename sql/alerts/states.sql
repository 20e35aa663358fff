-- alerts.states: the state of each minute and book that alerts are judged by: the index, and the
-- levels computed from the data known before the minute.
-- grain: minute_et, book_basis
-- reads: levels.levels
select
    minute_et,
    book_basis,
    spot,
    -- without the dealers' side of the inventory its sign says nothing
    case when (reason is distinct from 'inventory_unknown') then net_gamma_musd_per_point end
        as net_gamma_musd_per_point,
    flip,
    flip_roots,
    flip_lo,
    flip_hi,
    call_wall,
    put_wall,
    reason
from levels.levels
order by minute_et, book_basis
