-- accuracy.electronic_labels: true and folded orders of electronic prints, auctions among them.
-- grain: sequence
-- reads: accuracy.items
select truth, pred
from accuracy.items
where is_electronic
