-- live.told_legs: the legs of the versions that the newest state is the first to know, and since
-- when they are known.
-- grain: order_id, revision_number, leg_number
-- kind: view
-- reads: live.brief_legs, live.known_now, live.legs_now
with

legs as (
    from live.legs_now
    union all by name
    from live.brief_legs
)

select
    legs.*,
    known.visible_at
from legs
inner join live.known_now as known using (order_id, revision_number)
