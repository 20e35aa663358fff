-- views.other_forwards: the nearest expiries whose forward or discount is not the one that is
-- published: a curve came since then, or they are of other code.
-- grain: minute_et, expiry
-- reads: forwards, surface.near_terms
select near.minute_et, near.expiry::varchar as expiry
from surface.near_terms as near
left join forwards as published using (minute_et, root, expiry)
where (near.forward is null) <> (published.forward is null)
    or (near.discount is null) <> (published.discount is null)
    or abs(near.forward - published.forward) > 1e-9 * published.forward
    or abs(near.discount - published.discount) > 1e-12
order by near.minute_et, near.expiry
