-- ledger.closing_positions: dealers' position at the close, which the next session carries: what
-- was known last of that at the open, and the day's flow.
-- grain: root, expiry, strike, option_type
-- reads: book.flows, book.inventory, book.late_inventory, tape.expiries, tape.session
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
        arg_max(source, coalesce(enters_at, '-infinity'::timestamp)) as source
    from known
    group by all
),

positions as (
    from opened
    union all by name
    select root, expiry, strike, option_type, dealer_quantity as quantity
    from book.flows
)

select
    session.session_date,
    positions.root,
    positions.expiry,
    positions.strike,
    positions.option_type,
    sum(positions.quantity)::bigint as quantity,
    -- a contract first traded today has no source: all of it is today's flow
    any_value(positions.source) as open_source
from positions
cross join tape.session as session
inner join tape.expiries as expiries using (root, expiry)
where expiries.expires_at > session.closes_at
group by
    session.session_date, positions.root, positions.expiry, positions.strike, positions.option_type
order by positions.root, positions.expiry, positions.strike, positions.option_type
