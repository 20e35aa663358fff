-- live.new_trust: quote trust of the newest prints.
-- grain: sequence
-- reads: live.arrivals, live.step_trust
select trust.*
from live.step_trust as trust
semi join live.arrivals using (sequence)
