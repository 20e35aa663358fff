-- live.state_futures: the prices of futures in the minutes before the new states.
-- grain: contract, priced_at
-- reads: tape.futures
-- param: since_ms, until_ms
select *
from tape.futures
where priced_at < make_timestamp($until_ms::bigint * 1000)
    and priced_at >= make_timestamp($since_ms::bigint * 1000)
