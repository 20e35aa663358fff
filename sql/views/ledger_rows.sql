-- views.ledger_rows: the orders of the ledger with their legs, in ledger order, for the wire.
-- grain: order_id
-- reads: ledger.legs, ledger.orders
with

leg_lists as (
    select
        order_id,
        list(
            {
                'strike': strike,
                'option_type': option_type,
                'customer_sign': customer_sign,
                'root': root,
                'expiry': expiry,
                'ratio': ratio
            }
            order by leg_number
        ) as legs
    from ledger.legs
    where order_id in (select order_id from ledger.orders where is_in_ledger)
    group by order_id
)

select
    orders.order_id,
    orders.minute_et,
    orders.dealer_gamma_musd_per_point,
    orders.gamma_null_reason,
    orders.structure,
    orders.legs_text,
    leg_lists.legs,
    orders.main_expiry,
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
