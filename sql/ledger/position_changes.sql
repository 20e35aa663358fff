-- ledger.position_changes: what the session's prints added to the dealers' positions on average, its
-- variance in contracts squared, how many contracts traded, and how the errors that orders share
-- would move them: of the orders as they stand at the
-- end, and of the prints outside of the session's hours. Positions at the close are those at the
-- open and these; the orders depend on no position, so the changes of many sessions can be made at
-- once and added afterwards.
-- grain: root, expiry, strike, option_type
-- reads: book.flows, book.leg_sides, ledger.outside_flows, tape.expiries, tape.session
with

-- how many customers of each class bought, by all orders of the session
balances as (
    select
        flow_class(flows.option_type, expiries.ends_on = session.session_date) as flow_class,
        balance_logit(sum(flows.lean)::double, sum(flows.lean_square)::double) as logit,
        sqrt(balance_variance(sum(flows.lean_square)::double)) / balance_deviation() as left_share
    from book.flows as flows
    inner join tape.expiries as expiries using (root, expiry)
    cross join tape.session as session
    group by all
),

changes as (
    select
        root,
        expiry,
        strike,
        option_type,
        dealer_quantity,
        0::double as variance,
        0 as contracts,
        balance_quantity,
        rate_quantity
    from book.flows
    union all
    select
        root,
        expiry,
        strike,
        option_type,
        0,
        side_variance * square(contracts::double),
        contracts,
        0,
        0
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
    (
        sum(changes.dealer_quantity)
        + whole_contracts(sum(changes.balance_quantity) * coalesce(any_value(balances.logit), 0))
    )::double as dealer_quantity,
    exact_square_sum(changes.variance) as variance,
    sum(changes.contracts)::double as contracts,
    whole_contracts(
        sum(changes.balance_quantity) * coalesce(any_value(balances.left_share), 1)
    )::double as balance_quantity,
    sum(changes.rate_quantity)::double as rate_quantity
from changes
inner join tape.expiries as expiries using (root, expiry)
cross join tape.session as session
left join balances
    on balances.flow_class
        = flow_class(changes.option_type, expiries.ends_on = session.session_date)
group by all
order by changes.root, changes.expiry, changes.strike, changes.option_type
