-- alerts.found_orders: every version of the ledger's orders with the inputs of order rules, and the
-- instant of the first state that contains it: the first minute that begins after it became
-- visible. In a running session a superseded version is listed as it first appeared, too.
-- grain: order_id, revision_number
-- reads: ledger.orders, ledger.revisions
with

versions as (
    select * from ledger.orders anti join ledger.revisions using (order_id, revision_number)
    union all by name
    select * from ledger.revisions
)

select
    (epoch_us(visible_at) // 60000000 + 1) * 60000 as state_ms,
    epoch_us(visible_at) as visible_us,
    order_id,
    revision_number,
    minute_et,
    structure,
    legs_text,
    main_expiry::varchar as main_expiry,
    size,
    gross_premium_usd,
    net_premium_usd,
    dealer_gamma_musd_per_point,
    spot,
    flip,
    fold_confidence
from versions
where is_in_ledger
order by visible_at, order_id, revision_number
