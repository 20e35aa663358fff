-- book.pairs: every strike of an expiry that the book holds, trades or may hold; its call and put
-- share a gamma. Positions held are in book.holdings, from held_from on; a strike that only trades
-- counts from its first flow on: book.pair_flows.
-- grain: pair_number
-- reads: book.inventory, book.late_inventory, book.traded
with

strikes as (
    select root, expiry, strike, timestamp '-infinity' as held_from
    from book.inventory
    where open_quantity <> 0 or guessed_quantity <> 0 or deviation_quantity <> 0 or oi_quantity <> 0
    union all
    select root, expiry, strike, null
    from book.traded
    union all
    select root, expiry, strike, enters_at
    from book.late_inventory
    where open_quantity <> 0 or guessed_quantity <> 0 or deviation_quantity <> 0 or oi_quantity <> 0
)

select
    row_number() over (order by root, expiry, strike)::integer as pair_number,
    root,
    expiry,
    strike,
    min(held_from) as held_from
from strikes
group by root, expiry, strike
