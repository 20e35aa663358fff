-- ledger.legs: the contracts of the orders that stand.
-- grain: order_id, leg_number
-- reads: ledger.edition_legs
select * exclude (superseded_at)
from ledger.edition_legs
where superseded_at is null
order by order_id, leg_number
