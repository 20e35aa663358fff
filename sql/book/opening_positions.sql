-- book.opening_positions: dealer positions in a contract at the open, by source. Open interest is
-- read naively: dealers long every call and short every put. Later reports are in
-- book.late_inventory.
-- grain: source, root, expiry, strike, option_type
-- reads: tape.carried_positions, tape.dealer_positions, tape.open_interest, tape.session
select root, expiry, strike, option_type, 'measured' as source, 3 as trust, quantity
from tape.dealer_positions
where quantity is not null
    and (known_at is null or known_at < (select opens_at from tape.session))
union all
select root, expiry, strike, option_type, 'carried' as source, 2 as trust, quantity
from tape.carried_positions
where quantity is not null
union all
select
    root,
    expiry,
    strike,
    option_type,
    'open_interest' as source,
    1 as trust,
    case option_type when 'C' then open_interest when 'P' then -open_interest end as quantity
from tape.open_interest
where open_interest is not null
    and (known_at is null or known_at < (select opens_at from tape.session))
