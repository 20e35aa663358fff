-- views.ledger_legs: the legs of the orders of the ledger, in ledger order, for the wire: rows of
-- their own, as lists take several times as long to transfer.
-- grain: order_id, leg_number
-- reads: ledger.legs, ledger.orders
select
    orders.ledger_rank,
    legs.strike,
    legs.option_type,
    legs.customer_sign
from ledger.legs as legs
inner join ledger.orders as orders using (order_id)
where orders.is_in_ledger
order by orders.ledger_rank, legs.leg_number
