-- measure.found_legs: agreement of the prints that a fold put into packages with those that the
-- exchange marked as legs. Shares are null where nothing is marked.
-- grain: one row
-- reads: fold.order_prints, fold.parent_orders, measure.coded_prints, tape.conditions
with

marked as (
    select
        orders.leg_count > 1 as is_leg,
        -- a letter that may stand for a leg or not says nothing
        coalesce(conditions.is_multi_leg, false) as is_marked
    from measure.coded_prints as prints
    inner join fold.order_prints as order_prints using (sequence)
    inner join fold.parent_orders as orders using (order_id)
    left join tape.conditions as conditions on conditions.letter = prints.condition
),

counted as (
    select
        count(*) as print_count,
        count(*) filter (where is_marked) as marked_count,
        count(*) filter (where is_leg) as leg_count,
        count(*) filter (where is_leg and is_marked) as right_count
    from marked
)

select
    print_count,
    marked_count,
    case when marked_count > 0 then right_count / nullif(leg_count, 0) end as precision,
    right_count / nullif(marked_count, 0) as recall
from counted
