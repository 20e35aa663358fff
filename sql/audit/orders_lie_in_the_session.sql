-- audit.orders_lie_in_the_session: an order outside the ledger's hours would be placed against a
-- state that does not exist.
-- grain: order_id
-- reads: ledger.orders, tape.session
select orders.order_id, orders.printed_at
from ledger.orders as orders
cross join tape.session as session
where
    orders.printed_at < session.opens_at
    or orders.printed_at >= session.closes_at
    or orders.last_printed_at < orders.printed_at
    or orders.known_at >= session.known_until
