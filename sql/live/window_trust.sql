-- live.window_trust: quote trust of the prints that are folded again.
-- grain: sequence
-- reads: fold.quote_trust, live.window_prints
select trust.*
from fold.quote_trust as trust
semi join live.window_prints using (sequence)
