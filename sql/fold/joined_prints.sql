-- fold.joined_prints: the prints of parts that were joined, in the package that both make: what
-- takes the place of those parts in fold.fill_prints.
-- grain: print_number
-- reads: fold.joins, fold.pieces
-- param: pass_number
select
    pieces.print_number,
    joins.fill_id,
    'joined' as fold_rule,
    joins.cost_thousandths,
    joins.unit,
    joins.leg_count,
    $pass_number::integer as pass_number
from fold.pieces as pieces
inner join fold.joins as joins using (piece_id)
