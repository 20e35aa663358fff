-- measure.names: share of the exactly folded packages with their true name, and the causes of
-- others. A name such as back spread hangs on the side; a price may allow a straddle as well as a
-- synthetic. `attainable_share` is a bound: the share of a reader who knew, for each name given
-- here, each decided side and each set of possible names, which true name is most frequent on this
-- very tape.
-- grain: one row
-- reads: measure.exact_orders
with

packages as (
    select * from measure.exact_orders where is_package
),

counted as (
    select structure, sign, possible_names, true_structure, count(*) as orders
    from packages
    group by all
),

best as (
    select max(orders) as orders
    from counted
    group by structure, sign, possible_names
),

attainable as (
    select sum(orders) as orders from best
)

select
    count(*) as package_count,
    avg((naming = 'right')::int) as right_share,
    avg((naming = 'flip' and not is_decided)::int) as side_unknown_share,
    avg((naming = 'flip' and is_decided)::int) as side_wrong_share,
    avg((naming = 'ambiguous')::int) as ambiguous_share,
    avg((naming = 'wrong')::int) as wrong_share,
    -- right as far as a tape without customers and without the package's net can tell
    avg((naming <> 'wrong')::int) as told_share,
    any_value(attainable.orders) / count(*) as attainable_share
from packages
cross join attainable
