-- accuracy.all_labels: true and folded orders of all multi-leg prints for the fold's measures.
-- grain: sequence
-- reads: accuracy.items
select truth, pred
from accuracy.items
