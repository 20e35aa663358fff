-- views.ledger_versions: the orders of the ledger in every version, with when each ended. Of a
-- running session a version that ended stands among the orders as it came, too.
-- grain: order_id, revision_number
-- reads: ledger.orders, ledger.revisions
select *, null::timestamp as superseded_at
from ledger.orders
anti join ledger.revisions using (order_id, revision_number)
where is_in_ledger
union all by name
select *
from ledger.revisions
where is_in_ledger
