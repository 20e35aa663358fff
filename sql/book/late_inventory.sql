-- book.late_inventory: open interest that came after the open, read as in book.known_positions, and
-- the first state that knows it. It counts where nothing was known at the open; in the book of
-- basis 'oi' it counts unless the session has measured positions.
-- grain: root, expiry, strike, option_type
-- reads: book.inventory, book.known_positions, tape.expiries, tape.open_interest, tape.session
with

late as (
    select
        root,
        expiry,
        strike,
        option_type,
        date_trunc('minute', known_at) + interval 1 minute as enters_at,
        case option_type when 'C' then open_interest when 'P' then -open_interest end as quantity,
    from tape.open_interest
    where open_interest is not null
        and known_at >= (select opens_at from tape.session)
)

select
    late.root,
    late.expiry,
    late.strike,
    late.option_type,
    late.enters_at,
    case when inventory.source is null then late.quantity else 0 end as open_quantity,
    case
        when (select count(*) from book.known_positions where source = 'measured') = 0
            then late.quantity
        when inventory.source is null then late.quantity
        else 0
    end as oi_quantity,
from late
join tape.expiries as expiries using (root, expiry)
left join book.inventory as inventory using (root, expiry, strike, option_type)
where expiries.expires_at > (select opens_at from tape.session)
