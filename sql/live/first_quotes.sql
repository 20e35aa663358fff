-- live.first_quotes: where no quote was known before the new states, the first of other minutes
-- that is known to them.
-- grain: minute_at, root, expiry, strike, option_type
-- reads: tape.quotes
-- param: since_ms, until_ms
select *
from tape.quotes
where known_at >= make_timestamp($since_ms::bigint * 1000)
    and known_at < make_timestamp($until_ms::bigint * 1000)
    and (
        minute_at <= make_timestamp($since_ms::bigint * 1000)
        or minute_at > make_timestamp($until_ms::bigint * 1000)
    )
order by known_at
limit 1
