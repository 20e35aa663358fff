-- views.top_of_ledger: the orders that moved the newest session's book most, as people read them.
-- grain: order_id
-- reads: orders
select
    minute_et as "time",
    structure,
    legs_text as "legs",
    size,
    printf('%.2f', net_premium_usd / 1e6) as "net $M",
    printf('%+.2f', dealer_gamma_musd_per_point) as "gamma $M/pt",
    printf('%.1f', flip_distance_points) as "to flip",
    flip_side as "side",
    printf('%.2f', fold_confidence) as "sure"
from orders
where is_in_ledger and session_date = (select max(session_date) from orders)
order by ledger_rank
limit 15
