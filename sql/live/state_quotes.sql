-- live.state_quotes: the minute quotes of the new states, and of the others one that was known
-- before them: it says from when on the tape has quotes.
-- grain: minute_at, root, expiry, strike, option_type
-- reads: tape.quotes
-- param: since_ms, until_ms
select *
from tape.quotes
where minute_at > make_timestamp($since_ms::bigint * 1000)
    and minute_at <= make_timestamp($until_ms::bigint * 1000)
union all
(
    select *
    from tape.quotes
    where known_at < make_timestamp($since_ms::bigint * 1000)
        and (
            minute_at <= make_timestamp($since_ms::bigint * 1000)
            or minute_at > make_timestamp($until_ms::bigint * 1000)
        )
    limit 1
)
