-- live.ended: the versions of orders that were superseded since the previous state, as published.
-- grain: order_id, revision_number
-- reads: live.ended_before, live.ended_keys, live.new_orders
with

-- a version may begin and end within the step
touched as (
    select * from live.ended_before
    union all by name
    select * from live.new_orders semi join live.ended_keys using (order_id, revision_number)
)

select touched.* replace (
    ended.superseded_at as superseded_at, ended.superseded_by as superseded_by
)
from touched
inner join live.ended_keys as ended using (order_id, revision_number)
