-- measure.all_labels: true and folded orders of all multi-leg prints for the fold's measures.
-- grain: sequence
-- reads: measure.items
select truth, pred
from measure.items
