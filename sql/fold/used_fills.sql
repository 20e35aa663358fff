-- fold.used_fills: the packages that are joined, by both of their parts.
-- grain: fill_id
-- kind: view
-- reads: fold.joins
select unnest([earlier_id, later_id]) as fill_id
from fold.joins
where is_used
