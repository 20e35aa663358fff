-- ledger.closing_positions: dealers' position at the close, which the next session carries: what
-- was known last of that at the open, the expected flow of the day's orders and of the prints
-- outside of its hours, the contracts that nobody measured, the open interest that is measured at
-- most, which are those measured at the open and all that traded, and one standard deviation. A contract
-- that no source had at the open is new where its expiry has open interest of others; otherwise
-- nobody knows what was held of it: its guess is null.
-- grain: root, expiry, strike, option_type
-- reads: book.inventory, book.late_inventory, ledger.position_changes, tape.carried_positions, tape.expiries, tape.open_interest, tape.session
with

known as (
    from book.inventory
    union all by name
    from book.late_inventory
),

opened as (
    select
        root,
        expiry,
        strike,
        option_type,
        arg_max(open_quantity, coalesce(enters_at, '-infinity'::timestamp)) as quantity,
        arg_max_null(guessed_quantity, coalesce(enters_at, '-infinity'::timestamp))
            as guessed_quantity,
        arg_max(deviation_quantity, coalesce(enters_at, '-infinity'::timestamp))
            as deviation_quantity,
        arg_max(balance_quantity, coalesce(enters_at, '-infinity'::timestamp)) as balance_quantity,
        arg_max(rate_quantity, coalesce(enters_at, '-infinity'::timestamp)) as rate_quantity,
        arg_max(abs(oi_quantity), coalesce(enters_at, '-infinity'::timestamp)) as open_interest,
        arg_max(source, coalesce(enters_at, '-infinity'::timestamp)) as source
    from known
    group by all
),

changes as (
    select
        root,
        expiry,
        strike,
        option_type,
        quantity,
        square(deviation_quantity::double) as variance,
        0 as contracts,
        balance_quantity::double as balance_quantity,
        rate_quantity::double as rate_quantity
    from opened
    union all
    select
        root,
        expiry,
        strike,
        option_type,
        whole_contracts(dealer_quantity),
        variance,
        contracts,
        coalesce(balance_quantity, 0),
        coalesce(rate_quantity, 0)
    from ledger.position_changes
),

closed as (
    select
        root,
        expiry,
        strike,
        option_type,
        sum(quantity)::double as quantity,
        whole_contracts(sqrt(exact_square_sum(variance)))::double as deviation_quantity,
        sum(contracts)::double as contracts,
        -- each session has a balance of its own; the rates are those of all
        whole_contracts(
            sign(exact_sum(balance_quantity)) * sqrt(exact_square_sum(square(balance_quantity)))
        )::double as balance_quantity,
        exact_sum(rate_quantity) as rate_quantity
    from changes
    group by all
)

select
    session.session_date,
    closed.root,
    closed.expiry,
    closed.strike,
    closed.option_type,
    closed.quantity,
    -- a contract first traded today has no source: all of it is today's flow
    opened.source as open_source,
    case
        when opened.source is not null then opened.guessed_quantity::double
        when (closed.root, closed.expiry) in (select (root, expiry) from tape.open_interest) then 0
    end as guessed_quantity,
    case
        when opened.source is null then closed.contracts
        else opened.open_interest - opened.guessed_quantity::double + closed.contracts
    end as measured_quantity,
    closed.deviation_quantity,
    coalesce((select max(sessions_carried) from tape.carried_positions), 0)::integer + 1
        as sessions_carried,
    closed.balance_quantity,
    closed.rate_quantity
from closed
cross join tape.session as session
inner join tape.expiries as expiries using (root, expiry)
left join opened using (root, expiry, strike, option_type)
where expiries.expires_at > session.closes_at
order by closed.root, closed.expiry, closed.strike, closed.option_type
