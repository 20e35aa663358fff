-- import.chain_quotes: the quotes of a chain, at the end of the minute it was taken in, or at the
-- first minute of the next session when it was taken outside one and they are stored.
-- grain: that of import.cboe_chain
-- reads: import.cboe_chain, import.snapshot
select
    line_number,
    row_reason,
    case
        when expiry < snapshot.quotes_session_date then 'expired'
        when not snapshot.stores_prices then 'outside the session'
    end as skip_reason,
    snapshot.quotes_session_date as session_date,
    snapshot.minute_at as instant_at,
    null::timestamp as wall_at,
    root,
    expiry,
    strike,
    option_type,
    stated_bid(bid, ask) as best_bid,
    stated_ask(ask) as best_ask,
    stated_number(bid_size) as bid_size,
    stated_number(ask_size) as ask_size,
    snapshot.snapshot_at as quoted_at,
    null::timestamp as known_at
from import.cboe_chain
cross join import.snapshot as snapshot
