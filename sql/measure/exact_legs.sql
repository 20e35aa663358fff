-- measure.exact_legs: orders that hold exactly the prints of one true order, and how the signs of
-- their legs stand to those of the true legs.
-- grain: order_id
-- reads: fold.legs, fold.order_prints, measure.truth_legs, measure.truth_prints
with

cells as (
    select prints.parent_id, order_prints.order_id, count(*) as items
    from measure.truth_prints as prints
    inner join fold.order_prints as order_prints using (sequence)
    group by all
),

exact as (
    select parent_id, order_id
    from cells
    qualify items = sum(items) over (partition by parent_id)
        and items = sum(items) over (partition by order_id)
)

select
    exact.order_id,
    any_value(exact.parent_id) as parent_id,
    bool_and(legs.customer_sign = truth_legs.customer_sign) as is_right,
    bool_or(legs.customer_sign <> 0) as is_decided,
    coalesce(bool_and(legs.package_sign = truth_legs.customer_sign), false) as is_bought,
    coalesce(bool_and(legs.package_sign = -truth_legs.customer_sign), false) as is_sold
from exact
inner join fold.legs as legs using (order_id)
left join measure.truth_legs as truth_legs
    on truth_legs.parent_id = exact.parent_id
    and truth_legs.root = legs.root
    and truth_legs.expiry = legs.expiry
    and truth_legs.strike = legs.strike
    and truth_legs.option_type = legs.option_type
group by exact.order_id
