-- fold.joined_prints: the prints of parts that were joined, in their joint package: they replace
-- the prints of those parts in fold.fill_prints.
-- grain: print_number
-- reads: fold.joins, fold.pieces
-- param: pass_number
with

used_parts as (
    select *, unnest([earlier_id, later_id]) as piece_id from fold.joins where is_used
)

select
    pieces.print_number,
    used_parts.earlier_id as fill_id,
    'joined' as fold_rule,
    used_parts.cost_thousandths,
    used_parts.unit,
    used_parts.leg_count,
    $pass_number::integer as pass_number
from fold.pieces as pieces
inner join used_parts using (piece_id)
