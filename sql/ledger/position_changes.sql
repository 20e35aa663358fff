-- ledger.position_changes: what the session's prints added to the dealers' positions on average, its
-- variance in contracts squared, and how many contracts traded: of the orders as they stand at the
-- end, and of the prints outside of the session's hours. Positions at the close are those at the
-- open and these; the orders depend on no position, so the changes of many sessions can be made at
-- once and added afterwards.
-- grain: root, expiry, strike, option_type
-- reads: book.flows, book.leg_sides, ledger.outside_flows, tape.session
with

changes as (
    select
        root, expiry, strike, option_type, dealer_quantity, 0::double as variance, 0 as contracts
    from book.flows
    union all
    select
        root,
        expiry,
        strike,
        option_type,
        0,
        side_variance * square(contracts::double),
        contracts
    from book.leg_sides
    where superseded_at is null
    union all
    from ledger.outside_flows
)

select
    session.session_date,
    changes.root,
    changes.expiry,
    changes.strike,
    changes.option_type,
    sum(changes.dealer_quantity)::double as dealer_quantity,
    exact_square_sum(changes.variance) as variance,
    sum(changes.contracts)::double as contracts
from changes
cross join tape.session as session
group by all
order by changes.root, changes.expiry, changes.strike, changes.option_type
