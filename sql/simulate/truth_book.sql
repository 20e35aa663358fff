-- simulate.truth_book: the dealers' true inventory at the open, with the open interest.
-- grain: session_date, root, expiry, strike, option_type
-- reads: simulate.raw_contracts
-- param: session
select
    $session::date as session_date,
    root,
    expiry::date as expiry,
    strike,
    option_type,
    open_interest::bigint as open_interest,
    dealer_quantity::bigint as open_quantity
from simulate.raw_contracts
order by contract
