-- live.state_quotes: the minute quotes of the new states, and of the others one that was known
-- before them, or else the first that is: it says from when on the tape has quotes.
-- grain: minute_at, root, expiry, strike, option_type
-- reads: tape.quotes
-- param: since_ms, until_ms
with

-- read twice, each time but a little of it
others as not materialized (
    select *
    from tape.quotes
    where minute_at <= make_timestamp($since_ms::bigint * 1000)
        or minute_at > make_timestamp($until_ms::bigint * 1000)
)

select *
from tape.quotes
where minute_at > make_timestamp($since_ms::bigint * 1000)
    and minute_at <= make_timestamp($until_ms::bigint * 1000)
union all
(
    select *
    from others
    where known_at < make_timestamp($since_ms::bigint * 1000)
    limit 1
)
union all
(
    select *
    from others
    where known_at >= make_timestamp($since_ms::bigint * 1000)
        and known_at < make_timestamp($until_ms::bigint * 1000)
    order by known_at
    limit 1
)
