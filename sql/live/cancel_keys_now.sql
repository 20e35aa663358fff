-- live.cancel_keys_now: what the new cancels repeat, as numbers.
-- grain: sequence
-- kind: view
-- reads: live.keys_now
select key
from live.keys_now
where is_cancel
