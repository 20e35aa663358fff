-- live.new_cancels: the cancels that became known since the previous state.
-- grain: sequence
-- reads: live.arrivals, tape.conditions
select arrivals.*
from live.arrivals as arrivals
semi join tape.conditions as conditions
    on conditions.letter = arrivals.condition and conditions.is_cancel
