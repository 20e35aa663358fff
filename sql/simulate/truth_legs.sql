-- simulate.truth_legs: the true legs of every order.
-- grain: session_date, parent_id, leg_number
-- reads: simulate.raw_contracts, simulate.raw_legs
-- param: session
select
    $session::date as session_date,
    leg.parent_id::bigint as parent_id,
    leg.leg_number,
    contract.root,
    contract.expiry::date as expiry,
    contract.strike,
    contract.option_type,
    leg.ratio,
    leg.package_sign,
    leg.customer_sign
from simulate.raw_legs as leg
inner join simulate.raw_contracts as contract using (contract)
order by leg.parent_id, leg.leg_number
