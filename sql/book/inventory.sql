-- book.inventory: dealer positions in each contract at the open, with their source. Measured
-- positions go before signed flow carried from earlier sessions, and that before the naive reading
-- of open interest. Contracts that expired before the session are left out.
-- grain: root, expiry, strike, option_type
-- reads: book.opening_positions, tape.expiries, tape.session
with

measured as (
    select count(*) > 0 as has_measured
    from book.opening_positions
    where source = 'measured'
),

contracts as (
    select
        root,
        expiry,
        strike,
        option_type,
        arg_max(source, trust) as source,
        arg_max(quantity, trust) as open_quantity,
        max(quantity) filter (source = 'open_interest') as naive_quantity
    from book.opening_positions
    group by all
)

select
    contracts.root,
    contracts.expiry,
    contracts.strike,
    contracts.option_type,
    contracts.open_quantity,
    contracts.source,
    -- the book of basis 'oi': the measured one where a session has any, else the naive reading
    if(measured.has_measured, contracts.open_quantity, contracts.naive_quantity) as oi_quantity,
    if(measured.has_measured, contracts.source, 'open_interest') as oi_source
from contracts
cross join measured
inner join tape.expiries as expiries using (root, expiry)
where expiries.expires_at > (select opens_at from tape.session)
