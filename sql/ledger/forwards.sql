-- ledger.forwards: the forward of every expiry at every minute, with what it rests on.
-- grain: minute_et, root, expiry
-- reads: surface.forwards, tape.session
select
    session.session_date,
    forwards.minute_et,
    forwards.root,
    forwards.expiry,
    forwards.seconds_left::bigint as seconds_left,
    forwards.forward,
    forwards.discount,
    forwards.discount_source,
    forwards.pair_count::integer as pair_count,
    forwards.forward_mad,
    forwards.forward_low,
    forwards.forward_high,
    forwards.reason
from surface.forwards as forwards
cross join tape.session as session
order by forwards.minute_et, forwards.root, forwards.expiry
