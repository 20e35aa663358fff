-- import.position_counts: how many positions are summed, how many of them hold a guess, and whose
-- they are; is_first where none of an earlier session is in them.
-- grain: one row
-- reads: import.positions, import.summed_positions
select
    max(dealers) as dealers,
    count(*) filter (where dropped is null) as contract_count,
    count(*) filter (where dropped is null and guessed_quantity > 0) as guessed_count,
    not exists (
        select 1
        from import.positions as positions
        where coalesce(positions.dealers, (select max(dealers) from import.summed_positions))
            = (select max(dealers) from import.summed_positions)
    ) as is_first
from import.summed_positions
