-- views.published_edition_legs: the legs of every version of every order of a session, as
-- fold.edition_legs has them, from what is published of it.
-- grain: edition_id, leg_number
-- reads: legs, revision_legs
select
    order_id || ' ' || revision_number as edition_id,
    leg_number,
    root,
    expiry,
    strike,
    option_type,
    contracts,
    package_sign,
    customer_sign
from (from legs union all by name from revision_legs)
