-- book.known_positions: what each source says of the dealers' position in a contract: the position,
-- the other contracts, of which only open interest is known, and one standard deviation, all in
-- contracts; measured_quantity is the open interest that a source measured at most, null: no limit.
-- Open interest alone says nothing of the dealers' side. A guess that an earlier session could not
-- count is null: it is all of the open interest. enters_at is the first state that knows what was
-- reported after the open; null: known at the open.
-- grain: source, root, expiry, strike, option_type
-- reads: tape.carried_positions, tape.dealer_positions, tape.open_interest, tape.session
with

sources as (
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
        whole_contracts(0) as balance_quantity,
        whole_contracts(0) as rate_quantity,
        null::bigint as open_interest,
        known_at
    from tape.dealer_positions
    where quantity is not null
    union all
    select
        root,
        expiry,
        strike,
        option_type,
        'carried',
        2,
        quantity,
        guessed_quantity,
        measured_quantity,
        deviation_quantity,
        balance_quantity,
        rate_quantity,
        null,
        null
    from tape.carried_positions
    where quantity is not null
    union all
    select
        root,
        expiry,
        strike,
        option_type,
        'open_interest',
        1,
        whole_contracts(0),
        whole_contracts(open_interest),
        null,
        whole_contracts(0),
        whole_contracts(0),
        whole_contracts(0),
        open_interest,
        known_at
    from tape.open_interest
    where open_interest is not null
)

select
    sources.* exclude (known_at),
    case
        when sources.known_at >= session.opens_at
            then date_trunc('minute', sources.known_at) + interval 1 minute
    end as enters_at
from sources
cross join tape.session as session
