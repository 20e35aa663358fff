-- measure.electronic_labels: true and folded orders of electronic prints, auctions among them.
-- grain: sequence
-- reads: measure.items
select truth, pred
from measure.items
where is_electronic
