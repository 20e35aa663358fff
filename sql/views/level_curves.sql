-- views.level_curves: net dealer gamma over the index, its points as a list.
-- grain: minute_et, book_basis
-- reads: levels.profiles
select
    minute_et,
    book_basis,
    min(index_point) as first_point,
    (max(index_point) - min(index_point)) / nullif(count(*) - 1, 0) as step,
    list(dealer_gamma_musd_per_point order by index_point) as gammas
from levels.profiles
group by minute_et, book_basis
order by minute_et, book_basis
