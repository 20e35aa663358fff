-- fold.joined_prints: the prints of parts that were joined, in the package that both make: what
-- takes the place of those parts in fold.fill_prints.
-- grain: print_number
-- reads: fold.joins, fold.pieces
-- param: pass_number
with

taken as (
    select *, unnest([earlier_id, later_id]) as piece_id from fold.joins where is_taken
)

select
    pieces.print_number,
    taken.earlier_id as fill_id,
    'joined' as fold_rule,
    taken.cost_thousandths,
    taken.unit,
    taken.leg_count,
    $pass_number::integer as pass_number
from fold.pieces as pieces
inner join taken using (piece_id)
