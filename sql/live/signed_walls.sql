-- live.signed_walls: the last state of each book whose net gamma has a sign: the regime that a
-- later one without a sign keeps.
-- grain: book_basis
-- reads: live.walls_now
select *
from live.walls_now
where net_gamma_musd_per_point <> 0
qualify row_number() over (partition by book_basis order by minute_at desc) = 1
