-- tape.seen_expiries: the expiries of contracts of the session's symbol in the tape, each as
-- early as it was known; '-infinity': before the session.
-- grain: root, expiry
-- reads: tape.dealer_positions, tape.open_interest, tape.prints, tape.quotes, tape.session
with

contracts as (
    select root, expiry, known_at from tape.prints
    union all
    select root, expiry, known_at from tape.quotes
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
