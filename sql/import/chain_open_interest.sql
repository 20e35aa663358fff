-- import.chain_open_interest: the open interest of a chain, in the session in whose morning it
-- came out.
-- grain: that of import.cboe_chain
-- reads: import.cboe_chain, import.snapshot
select
    line_number,
    row_reason,
    case
        when expiry < snapshot.open_interest_session_date then 'expired'
        when row_reason is null and is_without_interest then 'no open interest'
    end as skip_reason,
    snapshot.open_interest_session_date as session_date,
    null::timestamp as instant_at,
    null::timestamp as wall_at,
    root,
    expiry,
    strike,
    option_type,
    open_interest,
    null::timestamp as known_at
from import.cboe_chain
cross join import.snapshot as snapshot
