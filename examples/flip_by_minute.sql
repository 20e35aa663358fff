/* The flip of each minute of the newest session with its 90 % interval, and how far the index is from it.
   Where there is no flip, the reason says why: inventory_unknown where the dealers' positions are not known. */
select
    session_date,
    minute_et,
    spot,
    flip,
    flip_lo,
    flip_hi,
    spot - flip as points_above_flip,
    reason
from levels
where session_date = (select max(session_date) from levels) and book_basis = 'measured'
order by minute_et;
