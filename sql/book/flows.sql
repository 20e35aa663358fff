-- book.flows: what each order of the session with a decided side added to the dealers' book.
-- Only the sign of the whole order counts: signs of single prints of a package are no better than a
-- coin. minute_at is the first state that knows the order, null when the session ended before.
-- grain: order_id, leg_number
-- reads: fold.legs, fold.parent_orders, tape.minutes
with

decided as (
    select
        legs.order_id,
        legs.leg_number,
        legs.root,
        legs.expiry,
        legs.strike,
        legs.option_type,
        (-legs.customer_sign * legs.contracts)::bigint as dealer_quantity,
        parent_orders.visible_at,
        greatest(parent_orders.visible_at, parent_orders.known_at) as usable_at,
    from fold.legs as legs
    join fold.parent_orders as parent_orders using (order_id)
    where legs.customer_sign <> 0
)

select
    decided.order_id,
    decided.leg_number,
    decided.root,
    decided.expiry,
    decided.strike,
    decided.option_type,
    decided.dealer_quantity,
    decided.visible_at,
    minutes.minute_at,
from decided
asof left join tape.minutes as minutes on decided.usable_at < minutes.minute_at
