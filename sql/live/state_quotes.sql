-- live.state_quotes: the minute quotes of the newest state, and one earlier one, which says that
-- the tape has quotes.
-- grain: minute_at, root, expiry, strike, option_type
-- reads: tape.quotes
-- param: until_ms
select *
from tape.quotes
where minute_at = make_timestamp($until_ms::bigint * 1000)
union all
(
    select *
    from tape.quotes
    where minute_at < make_timestamp($until_ms::bigint * 1000)
    limit 1
)
