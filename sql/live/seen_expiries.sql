-- live.seen_expiries: the expiries of contracts of the session's symbol in the latest rows, each
-- with the earliest instant at which it was known; '-infinity': before the session.
-- grain: root, expiry
-- reads: live.arrivals, live.state_quotes, tape.dealer_positions, tape.open_interest, tape.session
with

contracts as (
    select root, expiry, known_at from live.arrivals
    union all
    select root, expiry, known_at from live.state_quotes
    union all
    select root, expiry, known_at from tape.open_interest
    union all
    select root, expiry, known_at from tape.dealer_positions
)

select
    root,
    expiry::varchar as expiry,
    min(coalesce(known_at, '-infinity'))::varchar as known_at
from contracts
group by root, expiry
having symbol_of(root) = (select symbol from tape.session)
