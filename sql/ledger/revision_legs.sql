-- ledger.revision_legs: the contracts of the orders as they were known before.
-- grain: order_id, revision_number, leg_number
-- reads: ledger.edition_legs
select * exclude (superseded_at)
from ledger.edition_legs
where superseded_at is not null
order by order_id, revision_number, leg_number
