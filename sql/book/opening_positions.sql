-- book.opening_positions: what is known of the dealers' position in a contract at the open, by
-- source: the position, the other contracts, of which only open interest is known, and one
-- standard deviation, all in contracts; measured_quantity is the open interest that a source measured
-- at most, null: no limit. Open interest alone says nothing of the dealers' side. A
-- guess that an earlier session could not count is null: it is all of the open interest. Later
-- reports are in book.late_inventory.
-- grain: source, root, expiry, strike, option_type
-- reads: tape.carried_positions, tape.dealer_positions, tape.open_interest, tape.session
select
    root,
    expiry,
    strike,
    option_type,
    'measured' as source,
    3 as trust,
    whole_contracts(quantity) as quantity,
    whole_contracts(coalesce(guessed_quantity, 0)) as guessed_quantity,
    null::decimal(18, 4) as measured_quantity,
    whole_contracts(0) as deviation_quantity,
    null::bigint as open_interest
from tape.dealer_positions
where quantity is not null
    and (known_at is null or known_at < (select opens_at from tape.session))
union all
select
    root,
    expiry,
    strike,
    option_type,
    'carried' as source,
    2 as trust,
    quantity,
    guessed_quantity,
    measured_quantity,
    deviation_quantity,
    null as open_interest
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
    whole_contracts(0) as quantity,
    whole_contracts(open_interest) as guessed_quantity,
    null as measured_quantity,
    whole_contracts(0) as deviation_quantity,
    open_interest
from tape.open_interest
where open_interest is not null
    and (known_at is null or known_at < (select opens_at from tape.session))
