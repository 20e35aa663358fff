-- fold.spans: runs of rounds in which an order of a range did not change. An order that changed and
-- changed back has two spans.
-- grain: range_number, order_id, first_round
-- reads: fold.earlier_orders, fold.range_orders
with

compared as (
    select *, md5((folded, legs, prints)::varchar) as content
    from (from fold.earlier_orders union all by name from fold.range_orders)
),

counted as (
    select
        *,
        round - row_number() over (
            partition by range_number, order_id, content order by round
        ) as stretch
    from compared
)

select
    range_number,
    order_id,
    min(round) as first_round,
    max(round) as last_round,
    any_value(folded) as folded,
    any_value(legs) as legs,
    any_value(prints) as prints
from counted
group by range_number, order_id, content, stretch
