-- fold.repeated_fill_prints: the packages found, after those that came again were put together.
-- grain: print_number
-- reads: fold.fill_prints, fold.repeat_islands, fold.repeats
-- param: pass_number, repeat_cost_thousandths
with

members as (
    select
        islands.print_number,
        min(islands.print_number) over (partition by islands.island) as fill_id,
        repeats.unit,
        repeats.leg_count
    from fold.repeat_islands as islands
    inner join fold.repeats as repeats using (island, piece_id)
)

select
    print_number,
    coalesce(members.fill_id, fills.fill_id) as fill_id,
    case when members.fill_id is null then fills.fold_rule else 'repeat' end as fold_rule,
    case
        when members.fill_id is null then fills.cost_thousandths
        else $repeat_cost_thousandths::integer
    end as cost_thousandths,
    coalesce(members.unit, fills.unit) as unit,
    coalesce(members.leg_count, fills.leg_count) as leg_count,
    case when members.fill_id is null then fills.pass_number else $pass_number::integer end
        as pass_number
from fold.fill_prints as fills
full join members using (print_number)
