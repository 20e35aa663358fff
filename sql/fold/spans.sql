-- fold.spans: for how long an order of a zone was what it was: from which round to which. An order
-- that changed and changed back has two spans.
-- grain: zone, order_id, first_round
-- reads: fold.folded, fold.folded_then
with

compared as (
    select *, md5((folded, legs, prints)::varchar) as content
    from (from fold.folded_then union all by name from fold.folded)
),

counted as (
    select
        *,
        round - row_number() over (
            partition by zone, order_id, content order by round
        ) as stretch
    from compared
)

select
    zone,
    order_id,
    min(round) as first_round,
    max(round) as last_round,
    any_value(folded) as folded,
    any_value(legs) as legs,
    any_value(prints) as prints
from counted
group by zone, order_id, content, stretch
