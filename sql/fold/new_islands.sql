-- fold.new_islands: the islands of a pass, as it adds them to fold.judged_islands.
-- grain: island
-- reads: fold.islands, fold.pass
select
    islands.island,
    islands.print_number as last_print,
    islands.island_prints,
    pass.is_final,
    pass.is_weak_allowed
from fold.islands as islands
cross join fold.pass as pass
where islands.position = islands.island_prints
