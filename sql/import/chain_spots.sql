-- import.chain_spots: the one index value of a chain: of the symbol of most of its contracts. None
-- where the lines above its header have none.
-- grain: one row
-- reads: import.cboe_chain, import.snapshot
with

owner as (
    select symbol_of(root) as symbol
    from import.cboe_chain
    where root is not null
    group by symbol
    order by count(*) desc, symbol
    limit 1
)

select
    1 as line_number,
    null::varchar as row_reason,
    case when not stores_prices then 'outside the session' end as skip_reason,
    quotes_session_date as session_date,
    spotted_at as instant_at,
    null::timestamp as wall_at,
    last as spot,
    null::timestamp as known_at,
    owner.symbol
from import.snapshot
left join owner on true
where last is not null
