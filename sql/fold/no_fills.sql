-- fold.no_fills: the empty start of fold.fill_prints.
-- grain: print_number
-- reads: fold.included_prints
select
    print_number,
    print_number as fill_id,
    '' as fold_rule,
    0 as cost_thousandths,
    0::bigint as unit,
    0::bigint as leg_count,
    0 as pass_number
from fold.included_prints
where false
