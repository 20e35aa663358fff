-- live.signed_walls: the last state of each book and bucket of expiries whose net gamma has a sign: a later state without
-- a sign inherits its regime.
-- grain: book_basis, bucket
-- reads: live.state_walls
select *
from live.state_walls
where net_gamma_musd_per_point <> 0
qualify row_number() over (partition by book_basis, bucket order by minute_at desc) = 1
