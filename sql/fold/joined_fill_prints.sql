-- fold.joined_fill_prints: the packages found so far after their parts were joined.
-- grain: print_number
-- reads: fold.fill_prints, fold.joins, fold.pieces
-- param: pass_number
with

-- a piece may be the later half of one join and the earlier half of another: only whole chains
-- of two are taken, the rest meets in the next round
singled as (
    select * from fold.joins
    qualify count(*) over (partition by piece_id) = 1
),

halves as (
    select * from singled
    qualify count(*) over (partition by fill_id) = 2
)

select print_number, fill_id, fold_rule, cost_thousandths, unit, leg_count, pass_number
from fold.fill_prints
where fill_id not in (select piece_id from halves)
union all
select
    pieces.print_number,
    halves.fill_id,
    'joined' as fold_rule,
    halves.cost_thousandths,
    halves.unit,
    halves.leg_count,
    $pass_number::integer as pass_number
from fold.pieces as pieces
inner join halves using (piece_id)
