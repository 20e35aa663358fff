-- book.inventory: what dealers hold of each contract at the open, and how that is known.
-- Measured positions go before signed flow carried from earlier sessions, and that before the naive
-- reading of open interest: dealers long every call and short every put.
-- grain: root, expiry, strike, option_type
-- reads: tape.carried_positions, tape.dealer_positions, tape.expiries, tape.open_interest, tape.session
with

known as (
    select root, expiry, strike, option_type, 'measured' as source, quantity from tape.dealer_positions
    union all
    select root, expiry, strike, option_type, 'carried', quantity from tape.carried_positions
    union all
    select
        root,
        expiry,
        strike,
        option_type,
        'open_interest',
        case option_type when 'C' then open_interest when 'P' then -open_interest end,
    from tape.open_interest
),

contracts as (
    select
        root,
        expiry,
        strike,
        option_type,
        arg_max(source, trust) as source,
        arg_max(quantity, trust) as open_quantity,
        max(quantity) filter (source = 'open_interest') as naive_quantity,
    from (
        select
            *,
            case source when 'measured' then 3 when 'carried' then 2 when 'open_interest' then 1 end as trust,
        from known
        where quantity is not null
    )
    group by all
)

select
    root,
    expiry,
    strike,
    option_type,
    open_quantity,
    source,
    -- the book of basis 'oi': what was known at the open when it was measured, else the naive reading
    case
        when (select count(*) from tape.dealer_positions) > 0 then open_quantity
        else naive_quantity
    end as oi_quantity,
from contracts
join tape.expiries using (root, expiry)
where tape.expiries.expires_at > (select opens_at from tape.session)
