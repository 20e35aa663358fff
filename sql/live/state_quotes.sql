-- live.state_quotes: the minute quotes of the new states.
-- grain: minute_at, root, expiry, strike, option_type
-- reads: tape.quotes
-- param: since_ms, until_ms
select *
from tape.quotes
where minute_at > make_timestamp($since_ms::bigint * 1000)
    and minute_at <= make_timestamp($until_ms::bigint * 1000)
