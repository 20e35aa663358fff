-- fold.order_members: every print that counts, with its execution and its order; an order is named
-- by its first print. A burst of single prints is an order by itself. A print in neither a package
-- nor a burst is an order of its own, a leftover: there should be none, and the tape report counts
-- them.
-- grain: print_number
-- reads: fold.bursts, fold.included_prints, fold.package_prints, fold.parents
select
    packages.print_number,
    packages.fill_id,
    parents.parent_id,
    packages.fold_rule
from fold.package_prints as packages
inner join fold.parents as parents using (fill_id)
union all
select
    print_number,
    burst_id as fill_id,
    burst_id as parent_id,
    case when is_multi_leg then 'orphan' when is_alone then 'single' else 'burst' end as fold_rule
from fold.bursts
union all
select print_number, print_number, print_number, 'leftover'
from fold.included_prints
anti join fold.package_prints using (print_number)
anti join fold.bursts using (print_number)
