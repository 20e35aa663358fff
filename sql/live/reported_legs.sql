-- live.reported_legs: the legs of the versions that the newest state is the first to know, and the
-- instant from which they are known.
-- grain: order_id, revision_number, leg_number
-- kind: view
-- reads: live.brief_legs, live.new_legs, live.new_versions
with

legs as (
    from live.new_legs
    union all by name
    from live.brief_legs
)

select
    legs.*,
    known.visible_at
from legs
inner join live.new_versions as known using (order_id, revision_number)
