-- book.pairs: every strike of an expiry that the book holds, trades or doubts; its call and put
-- share a gamma. What came to be known of it after the open is a pair of its own, from then on.
-- One without inventory counts from its first flow on: book.pair_flows.
-- grain: pair_number
-- reads: book.inventory, book.late_inventory, book.traded
with

held as (
    select
        root,
        expiry,
        strike,
        option_type,
        open_quantity,
        source,
        oi_quantity,
        null::timestamp as enters_at,
    from book.inventory
    where open_quantity <> 0 or oi_quantity <> 0
    union all
    select root, expiry, strike, null, 0, null, 0, null
    from book.traded
    union all
    select
        root,
        expiry,
        strike,
        option_type,
        open_quantity,
        null,
        oi_quantity,
        enters_at,
    from book.late_inventory
    where open_quantity <> 0 or oi_quantity <> 0
)

select
    row_number() over (order by root, expiry, strike, enters_at nulls first)::integer
        as pair_number,
    root,
    expiry,
    strike,
    coalesce(sum(open_quantity) filter (option_type = 'C'), 0)::bigint as call_inventory,
    coalesce(sum(open_quantity) filter (option_type = 'P'), 0)::bigint as put_inventory,
    coalesce(sum(oi_quantity) filter (option_type = 'C'), 0)::bigint as call_oi,
    coalesce(sum(oi_quantity) filter (option_type = 'P'), 0)::bigint as put_oi,
    -- contracts that do not rest on the naive reading
    coalesce(sum(abs(open_quantity)) filter (source <> 'open_interest'), 0)::bigint
        as known_inventory,
    coalesce(sum(abs(oi_quantity)) filter (source <> 'open_interest'), 0)::bigint as known_oi,
    count(source) > 0 as has_inventory,
    enters_at,
from held
group by root, expiry, strike, enters_at
