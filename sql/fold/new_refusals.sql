-- fold.new_refusals: the pairs that gain nothing by being joined, as a pass adds them to
-- fold.refused_pairs.
-- grain: package_id
-- reads: fold.joins, fold.pairs
select package_id, part_legs, earlier_last, later_last, earlier_prints, later_prints
from fold.pairs
anti join fold.joins using (package_id)
