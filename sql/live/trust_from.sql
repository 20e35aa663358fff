-- live.trust_from: the same instant as live.span, as a number.
-- grain: one row
-- reads: live.span
select epoch_us(trust_from) as from_us
from live.span
