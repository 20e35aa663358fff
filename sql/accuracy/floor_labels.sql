-- accuracy.floor_labels: true and folded orders of floor prints for the fold's measures.
-- grain: sequence
-- reads: accuracy.items
select truth, pred
from accuracy.items
where is_floor
