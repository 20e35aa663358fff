-- ledger.stats: counts of the session's ledger, the orders at or above the premium floor.
-- grain: session_date
-- reads: ledger.orders, tape.session
select
    session.session_date,
    session.min_premium_usd,
    count(orders.order_id)::integer as order_count,
    coalesce(sum(orders.net_premium_usd::bigint)::double, 0) as net_premium_usd,
    count(*) filter (where orders.sign = 0)::integer as no_side_count,
    count(*) filter (
        where orders.order_id is not null and orders.dealer_gamma_musd_per_point is null
    )::integer as no_gamma_count,
    count(*) filter (where orders.dealer_gamma_musd_per_point > 0)::integer as gamma_up_count,
    count(*) filter (where orders.dealer_gamma_musd_per_point < 0)::integer as gamma_down_count,
    count(*) filter (where orders.dealer_gamma_musd_per_point = 0)::integer as gamma_flat_count
from tape.session as session
left join ledger.orders as orders on orders.is_in_ledger
group by all
