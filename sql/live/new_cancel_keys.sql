-- live.new_cancel_keys: cancel keys of the new cancels.
-- grain: sequence
-- kind: view
-- reads: live.new_keys
select key
from live.new_keys
where is_cancel
