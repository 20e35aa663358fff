-- ledger.order_prints: the evidence: which prints of the tape make up an order.
-- grain: sequence
-- kind: view
-- reads: fold.order_prints, tape.session
select
    session.session_date,
    order_prints.order_id,
    order_prints.sequence,
    order_prints.leg_number::integer as leg_number
from fold.order_prints as order_prints
cross join tape.session as session
order by order_prints.sequence
