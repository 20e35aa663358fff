/* What the orders of each structure did to the dealers' gamma in the newest session, $M per index point.
   Orders without a gamma are counted, not added up as zero. */
select
    structure,
    count(*) as orders,
    count(dealer_gamma_musd_per_point) as orders_with_gamma,
    sum(dealer_gamma_musd_per_point) filter (dealer_gamma_musd_per_point > 0) as gamma_added,
    sum(dealer_gamma_musd_per_point) filter (dealer_gamma_musd_per_point < 0) as gamma_removed
from orders
where session_date = (select max(session_date) from orders) and is_in_ledger
group by structure
order by orders desc, structure;
