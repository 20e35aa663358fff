-- simulate.open_interest: open interest of the simulated morning.
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
    null::timestamp as known_at
from simulate.raw_contracts
order by contract
