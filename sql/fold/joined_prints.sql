-- fold.joined_prints: the prints of parts that were joined, in the package that both make: what
-- takes the place of those parts in fold.fill_prints.
-- grain: print_number
-- reads: fold.halves, fold.pieces
-- param: pass_number
select
    pieces.print_number,
    halves.fill_id,
    'joined' as fold_rule,
    halves.cost_thousandths,
    halves.unit,
    halves.leg_count,
    $pass_number::integer as pass_number
from fold.pieces as pieces
inner join fold.halves as halves using (piece_id)
