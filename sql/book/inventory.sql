-- book.inventory: dealers' position in each contract at the open, with its source: imported
-- positions go before those carried from earlier sessions, and those before open interest, of which
-- the dealers' side is unknown. No position is larger than the open interest. Contracts that
-- expired before the session are left out.
-- grain: root, expiry, strike, option_type
-- reads: book.known_positions, tape.expiries, tape.session
with

contracts as (
    select
        root,
        expiry,
        strike,
        option_type,
        max(open_interest) as open_interest,
        arg_max(source, trust) as source,
        arg_max(quantity, trust) as quantity,
        arg_max_null(guessed_quantity, trust) as guessed_quantity,
        arg_max_null(measured_quantity, trust) as measured_quantity,
        arg_max(deviation_quantity, trust) as deviation_quantity,
        arg_max(balance_quantity, trust) as balance_quantity,
        arg_max(rate_quantity, trust) as rate_quantity
    from book.known_positions
    where enters_at is null
    group by all
)

select
    contracts.root,
    contracts.expiry,
    contracts.strike,
    contracts.option_type,
    contracts.source,
    bounded_position(contracts.quantity, contracts.open_interest) as open_quantity,
    bounded_guess(
        contracts.guessed_quantity, contracts.measured_quantity, contracts.open_interest
    ) as guessed_quantity,
    bounded_position(contracts.deviation_quantity, contracts.open_interest) as deviation_quantity,
    bounded_position(contracts.balance_quantity, contracts.open_interest) as balance_quantity,
    bounded_position(contracts.rate_quantity, contracts.open_interest) as rate_quantity,
    convention_quantity(contracts.option_type, contracts.open_interest) as oi_quantity
from contracts
inner join tape.expiries as expiries using (root, expiry)
where expiries.expires_at > (select opens_at from tape.session)
