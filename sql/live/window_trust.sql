-- live.window_trust: whether the quotes beside the prints that are folded again may be believed.
-- grain: sequence
-- reads: fold.quote_trust, live.window_prints
select trust.*
from fold.quote_trust as trust
semi join live.window_prints using (sequence)
