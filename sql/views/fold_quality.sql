-- views.fold_quality: quality of the fold of a session, estimated without its true orders. One
-- complex order trades at a net on its step, so a package off it is put together wrongly; a wrong
-- one of penny legs still lands on a step of 0.05 one time in five, so about a quarter more are
-- wrong than are off. An orphan is a print that is marked as a leg, or has no condition and a price
-- no single order can have, but found no package. Shares are null where nothing is counted.
-- grain: one row
-- reads: fold.included_prints, fold.order_prints, fold.parent_orders
with

packages as (
    select
        count(*) as package_count,
        avg(list_contains(flags, 'off_grid')::int) as off_step_share
    from fold.parent_orders
    where leg_count > 1
),

orphans as (
    select avg((orders.leg_count = 1)::int) as orphan_share
    from fold.included_prints as prints
    inner join fold.order_prints as order_prints using (sequence)
    inner join fold.parent_orders as orders using (order_id)
    where prints.is_multi_leg
        or orders.leg_count > 1
        or (prints.condition is null and prints.is_off_tick)
)

select package_count, off_step_share, orphan_share
from packages
cross join orphans
