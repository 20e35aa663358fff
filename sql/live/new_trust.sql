-- live.new_trust: whether the quotes beside the newest prints may be believed.
-- grain: sequence
-- reads: live.arrivals, live.step_trust
select trust.*
from live.step_trust as trust
semi join live.arrivals using (sequence)
