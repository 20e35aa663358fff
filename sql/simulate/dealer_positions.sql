-- simulate.dealer_positions: dealer positions of the simulation at the open.
-- grain: session_date, root, expiry, strike, option_type
-- reads: simulate.raw_contracts
-- param: session
select
    $session::date as session_date,
    root,
    expiry::date as expiry,
    strike,
    option_type,
    dealer_quantity::bigint as quantity,
    null::timestamp as known_at,
    null::bigint as guessed_quantity,
    null::varchar as dealers
from simulate.raw_contracts
order by contract
