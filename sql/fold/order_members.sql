-- fold.order_members: every kept print in its execution and its order; an order is named by its
-- first print.
-- grain: print_number
-- reads: fold.bursts, fold.fill_prints, fold.kept_prints, fold.parents
with

members as (
    select print_number, fill_id, fold_rule from fold.fill_prints
    union all
    select
        bursts.print_number,
        bursts.burst_id,
        case
            when prints.is_multi_leg then 'orphan'
            when count(*) over (partition by bursts.burst_id) = 1 then 'single'
            else 'burst'
        end
    from fold.bursts as bursts
    inner join fold.kept_prints as prints using (print_number)
)

select
    members.print_number,
    members.fill_id,
    parents.parent_id,
    members.fold_rule
from members
inner join fold.parents as parents using (fill_id)
