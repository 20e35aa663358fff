-- fold.order_members: every kept print in its execution and its order; an order is named by its
-- first print. A burst of single prints is an order by itself.
-- grain: print_number
-- reads: fold.bursts, fold.fill_prints, fold.parents
select
    fills.print_number,
    fills.fill_id,
    parents.parent_id,
    fills.fold_rule
from fold.fill_prints as fills
inner join fold.parents as parents using (fill_id)
union all
select
    print_number,
    burst_id as fill_id,
    burst_id as parent_id,
    case when is_multi_leg then 'orphan' when is_alone then 'single' else 'burst' end as fold_rule
from fold.bursts
