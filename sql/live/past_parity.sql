-- live.past_parity: the forwards of the states before the new ones that had an index, by which the
-- carry is measured.
-- grain: minute_et, root, expiry
-- reads: live.new_minutes, surface.parity_forwards
select forwards.*
from surface.parity_forwards as forwards
anti join live.new_minutes using (minute_et)
where forwards.log_carry is not null and not forwards.is_far
