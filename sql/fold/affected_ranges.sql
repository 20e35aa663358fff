-- fold.affected_ranges: ranges of the session whose orders late changes may have altered. A print
-- farther than the window from the last print of an order never changes it, so a range holds the
-- change, the orders within the window, and the orders that overlap those. To fold them as they
-- were takes the prints of the range and of one window on each side. Ranges that share prints are
-- merged.
-- grain: range_number
-- reads: fold.late_changes, fold.legs, fold.parent_orders, tape.conditions
-- param: window_slow_us, window_us
with

orders as (
    select
        order_partition(
            orders.print_class,
            coalesce(conditions.is_multi_leg, false),
            orders.condition,
            legs.root,
            legs.expiry,
            legs.strike,
            legs.option_type
        ) as partition_number,
        epoch_us(orders.printed_at) as first_us,
        epoch_us(orders.last_printed_at) as last_us
    from fold.parent_orders as orders
    inner join fold.legs as legs on legs.order_id = orders.order_id and legs.leg_number = 1
    left join tape.conditions as conditions on conditions.letter = orders.condition
    where is_on_tape(orders.first_sequence)
        and partition_number in (select partition_number from fold.late_changes)
),

changes as (
    select
        row_number() over (order by printed_at, sequence, change_type) as core,
        partition_number,
        epoch_us(printed_at) as printed_us,
        case when is_slow then $window_slow_us::bigint else $window_us::bigint end as window_us
    from fold.late_changes
),

cores as (
    select
        core,
        partition_number,
        window_us,
        printed_us - window_us as first_us,
        printed_us + window_us as last_us
    from changes
),

ranges as (
    select
        core,
        partition_number,
        first_us,
        last_us,
        around_from_us - window_us as from_us,
        around_to_us + window_us as to_us
    from stretched('cores', 'orders')
),

marked_starts as (
    select
        *,
        coalesce(
            from_us > max(to_us) over (
                partition by partition_number
                order by from_us, core
                rows between unbounded preceding and 1 preceding
            ),
            true
        ) as is_start
    from ranges
),

numbered as (
    select
        *,
        sum(is_start::integer) over (order by partition_number, from_us, core)::integer
            as range_number
    from marked_starts
)

select
    range_number,
    any_value(partition_number) as partition_number,
    min(first_us) as first_us,
    max(last_us) as last_us,
    min(from_us) as from_us,
    max(to_us) as to_us
from numbered
group by range_number
