-- views.level_bases: distances of futures above the index, a row a contract and minute.
-- grain: minute_et, contract
-- reads: levels.basis
select contract, minute_et, basis, reason, volume
from levels.basis
order by minute_et, contract
