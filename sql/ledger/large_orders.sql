-- ledger.large_orders: the orders of the ledger as a position is judged by them: from when they
-- count, what they did to the dealers' gamma, and at which strikes of today's expiry.
-- grain: order_id
-- reads: fold.legs, fold.parent_orders, ledger.orders, tape.expiries, tape.session
with

todays_strikes as (
    select legs.order_id, list_sort(list(distinct legs.strike)) as strikes
    from fold.legs as legs
    join tape.session as session on legs.expiry = session.session_date
    join tape.expiries as expiries using (root, expiry)
    where expiries.settlement = 'PM'
    group by legs.order_id
)

select
    orders.session_date,
    orders.order_id,
    orders.minute_et,
    orders.printed_at,
    -- no later fill can change it, and all of its prints had been told
    greatest(parents.visible_at, parents.known_at) as usable_at,
    orders.structure,
    orders.gross_premium_usd,
    orders.dealer_gamma_musd_per_point,
    orders.gamma_null_reason,
    coalesce(todays_strikes.strikes, []) as strikes
from ledger.orders as orders
inner join fold.parent_orders as parents using (order_id)
left join todays_strikes using (order_id)
where orders.is_in_ledger
order by usable_at, orders.order_id
