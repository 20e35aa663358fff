-- measure.floor_labels: true and folded orders of floor prints for the fold's measures.
-- grain: sequence
-- reads: measure.items
select truth, pred
from measure.items
where is_floor
