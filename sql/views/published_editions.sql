-- views.published_editions: every version of every order of a session, as fold.editions has them,
-- from what is published of it: as much as the dealers' book reads.
-- grain: edition_id
-- reads: orders, revisions
select
    order_id || ' ' || revision_number as edition_id,
    order_id,
    sign,
    side_reason,
    side_probability,
    side_deviation,
    visible_at,
    null::timestamp as superseded_at
from orders
union all
select
    order_id || ' ' || revision_number,
    order_id,
    sign,
    side_reason,
    side_probability,
    side_deviation,
    visible_at,
    superseded_at
from revisions
