-- ledger.tape_folds: the fold's errors, measured without knowing the true orders. The net of a
-- package folded right lies on the price grid, and every leg has its package. A leftover is a print
-- that a package took and lost again; prints named by an audit are quarantined.
-- grain: one row
-- reads: fold.order_prints, fold.parent_orders, fold.print_fates, tape.conditions, tape.prints
with

packages as (
    select
        count(*) as package_count,
        count(*) filter (where list_contains(flags, 'off_grid')) as off_step_count
    from fold.parent_orders
    where leg_count > 1
),

leg_prints as (
    select list_contains(orders.flags, 'ml_orphan') as is_orphan
    from tape.prints as prints
    inner join fold.print_fates as fates using (sequence)
    inner join tape.conditions as conditions on conditions.letter = prints.condition
    inner join fold.order_prints as order_prints using (sequence)
    inner join fold.parent_orders as orders using (order_id)
    where fates.fate = 'kept' and conditions.is_multi_leg
),

orphans as (
    select count(*) as leg_print_count, count(*) filter (where is_orphan) as orphan_count
    from leg_prints
),

fates as (
    select
        count(*) as print_count,
        count(*) filter (where fate = 'kept') as counted_prints,
        count(*) filter (where fate = 'set_apart') as set_apart_count
    from fold.print_fates
),

leftovers as (
    select count(*) as leftover_count
    from fold.parent_orders
    where list_contains(flags, 'leftover')
)

select
    packages.package_count,
    packages.off_step_count / nullif(packages.package_count, 0) as off_step_share,
    orphans.leg_print_count,
    orphans.orphan_count / nullif(orphans.leg_print_count, 0) as orphan_share,
    leftovers.leftover_count,
    leftovers.leftover_count / nullif(fates.counted_prints, 0) as leftover_share,
    fates.set_apart_count,
    fates.set_apart_count / nullif(fates.print_count, 0) as set_apart_share
from packages
cross join orphans
cross join leftovers
cross join fates
