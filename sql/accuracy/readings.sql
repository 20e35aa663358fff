-- accuracy.readings: how often an exactly folded order has its true name and its true side.
-- grain: one row
-- reads: accuracy.exact_orders
select
    count(*) filter (where is_package) as package_count,
    avg((naming = 'right')::int) filter (where is_package) as right_name_share,
    avg((naming = 'flip')::int) filter (where is_package) as flipped_name_share,
    avg((naming = 'ambiguous')::int) filter (where is_package) as ambiguous_name_share,
    -- right as far as a tape without customers and without the package's net can tell
    avg((naming <> 'wrong')::int) filter (where is_package) as told_name_share,
    -- a cross has no side: a decided sign there is wrong
    avg(is_decided::int) filter (where is_package) as package_decided_share,
    avg(is_right::int) filter (where is_package and is_decided) as package_right_side_share,
    avg(is_decided::int) filter (where not is_package) as single_decided_share,
    avg(is_right::int) filter (where not is_package and is_decided) as single_right_side_share
from accuracy.exact_orders
