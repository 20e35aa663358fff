-- import.dropped_positions: how many contracts have no position, by the reason.
-- grain: dropped
-- reads: import.summed_positions
select dropped, count(*) as contract_count
from import.summed_positions
where dropped is not null
group by dropped
order by dropped
