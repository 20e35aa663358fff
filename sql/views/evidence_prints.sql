-- views.evidence_prints: the prints of one order, in the order of time; none where its current
-- version was not known before an instant: the prints of its earlier versions are not stored.
-- grain: sequence
-- reads: ledger.order_prints, ledger.orders, ledger.prints
-- param: known_before_ms
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
semi join (
    select order_id
    from ledger.orders
    where coalesce(visible_at < make_timestamp($known_before_ms::bigint * 1000), true)
) as known_orders using (order_id)
order by prints.printed_at, order_prints.sequence
