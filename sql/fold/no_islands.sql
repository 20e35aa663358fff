-- fold.no_islands: the empty start of fold.judged_islands.
-- grain: island
-- reads: fold.leg_prints
select
    print_number as island,
    print_number as last_print,
    0::bigint as island_prints,
    false as is_final,
    false as is_weak_allowed
from fold.leg_prints
where false
