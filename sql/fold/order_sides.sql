-- fold.order_sides: which way the quotes say the customer of an order went, before anything that
-- forbids a side: the mean over its fills, or nothing when a fifth of the size disagrees.
-- grain: parent_id
-- reads: fold.package_sides, fold.print_sides
-- param: side_minority, side_outside
with

sided as (
    select parent_id, weight, z, side, is_quoted, is_locked from fold.package_sides
    union all
    select parent_id, weight, z, side, is_quoted, is_locked from fold.print_sides
),

summed as (
    select
        parent_id,
        exact_sum(weight * z) / sum(weight) filter (where z is not null) as z,
        coalesce(sum(weight) filter (where side > 0), 0) as bought,
        coalesce(sum(weight) filter (where side < 0), 0) as sold,
        count(z) as read_count,
        bool_or(is_locked or is_quoted) as has_quote
    from sided
    group by parent_id
),

weighed as (
    select
        *,
        sign(bought - sold)::integer as leaning,
        least(bought, sold) > $side_minority::double * (bought + sold) as is_divided
    from summed
)

select
    parent_id,
    z,
    leaning,
    case
        when read_count = 0 and has_quote then 'locked'
        when read_count = 0 then 'no_quote'
        when is_divided then 'fills_disagree'
        when abs(z) > $side_outside::double then 'outside'
        when leaning = 0 then 'middle'
    end as reason
from weighed
