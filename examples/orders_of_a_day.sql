/* The ledger of the newest session: its large orders, those with the largest effect first.
   For another session, write its day, such as date '2026-10-15'. */
select
    session_date,
    minute_et,
    structure,
    legs_text,
    size,
    -- 1 the customer bought, -1 sold, 0 unknown
    sign,
    round(net_premium_usd / 1e6, 3) as net_premium_musd,
    dealer_gamma_musd_per_point as dealer_gamma,
    -- null is not zero: this says why
    gamma_null_reason
from orders
where session_date = (select max(session_date) from orders) and is_in_ledger
order by ledger_rank
limit 20;
