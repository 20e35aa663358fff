-- live.other_quotes: of the minute quotes outside the new states, the one that was known first: the
-- tape has quotes from then on. is_old is true when that holds for all later states.
-- grain: minute_at, root, expiry, strike, option_type
-- reads: tape.quotes
-- param: since_ms, until_ms
select
    *,
    minute_at <= make_timestamp($since_ms::bigint * 1000)
    and known_at < make_timestamp($since_ms::bigint * 1000) as is_old
from tape.quotes
where known_at < make_timestamp($until_ms::bigint * 1000)
    and (
        minute_at <= make_timestamp($since_ms::bigint * 1000)
        or minute_at > make_timestamp($until_ms::bigint * 1000)
    )
order by known_at, minute_at, root, expiry, strike, option_type
limit 1
