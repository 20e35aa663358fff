-- views.evidence_prints: the prints of one order, in the order of time.
-- grain: sequence
-- reads: ledger.order_prints, ledger.prints
select
    order_prints.sequence,
    order_prints.leg_number,
    epoch_us(prints.printed_at) as printed_us,
    prints.size,
    prints.exchange,
    coalesce(prints.condition, prints.vendor_condition) as condition,
    prints.price,
    prints.best_bid,
    prints.best_ask
from ledger.order_prints
inner join ledger.prints using (sequence)
order by prints.printed_at, order_prints.sequence
