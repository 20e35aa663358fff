-- ledger.closing_positions: dealers' position at the close, which the next session carries.
-- grain: root, expiry, strike, option_type
-- reads: book.flows, book.inventory, book.late_inventory, tape.expiries, tape.session
with

changes as (
    select
        root,
        expiry,
        strike,
        option_type,
        open_quantity as quantity,
        source,
        timestamp '-infinity' as enters_at
    from book.inventory
    union all
    select root, expiry, strike, option_type, open_quantity, source, enters_at
    from book.late_inventory
    where open_quantity <> 0
    union all
    select root, expiry, strike, option_type, dealer_quantity, null, null
    from book.flows
)

select
    session.session_date,
    changes.root,
    changes.expiry,
    changes.strike,
    changes.option_type,
    sum(changes.quantity)::bigint as quantity,
    -- a contract first traded today has no source: all of it is today's flow
    arg_max(changes.source, changes.enters_at) as open_source
from changes
cross join tape.session as session
inner join tape.expiries as expiries using (root, expiry)
where expiries.expires_at > session.closes_at
group by
    session.session_date, changes.root, changes.expiry, changes.strike, changes.option_type
order by changes.root, changes.expiry, changes.strike, changes.option_type
