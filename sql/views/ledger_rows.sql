-- views.ledger_rows: the orders of the ledger with their legs, in ledger order, for the wire.
-- grain: order_id
-- reads: ledger.legs, ledger.orders
with

leg_lists as (
    select
        legs.order_id,
        -- sorted as lists: an aggregate with an order of its own sorts every group by itself
        list_sort(list({
            'leg_number': legs.leg_number,
            'strike': legs.strike,
            'option_type': legs.option_type,
            'customer_sign': legs.customer_sign
        })) as legs
    from ledger.legs as legs
    inner join ledger.orders as orders using (order_id)
    where orders.is_in_ledger
    group by legs.order_id
)

select
    orders.order_id,
    orders.minute_et,
    orders.dealer_gamma_musd_per_point,
    orders.gamma_null_reason,
    orders.structure,
    orders.legs_text,
    leg_lists.legs,
    orders.main_expiry::varchar as main_expiry,
    orders.size,
    orders.contracts,
    orders.net_premium_usd,
    orders.flip_distance_points,
    orders.flip_side,
    orders.fold_confidence,
    orders.fold_basis,
    orders.flags,
    orders.side_probability
from ledger.orders as orders
inner join leg_lists using (order_id)
where orders.is_in_ledger
order by orders.ledger_rank
