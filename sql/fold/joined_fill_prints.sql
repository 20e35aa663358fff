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

select
    pieces.print_number,
    coalesce(halves.fill_id, fills.fill_id) as fill_id,
    case when halves.fill_id is null then fills.fold_rule else 'joined' end as fold_rule,
    coalesce(halves.cost_thousandths, fills.cost_thousandths) as cost_thousandths,
    coalesce(halves.unit, fills.unit) as unit,
    coalesce(halves.leg_count, fills.leg_count) as leg_count,
    case when halves.fill_id is null then fills.pass_number else $pass_number::integer end
        as pass_number
from fold.pieces as pieces
left join fold.fill_prints as fills using (print_number)
left join halves on halves.piece_id = pieces.piece_id
where fills.fill_id is not null or halves.fill_id is not null
