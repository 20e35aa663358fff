-- import.snapshot: the instants of a chain and of its index, and the sessions that it is stored for.
-- Quotes and index of one that no minute may use are not stored.
-- grain: one row
-- reads:
-- param: interest_session, last, minute_ms, quotes_session, spotted_ms, stores_prices, taken_ms
select
    make_timestamp($taken_ms::bigint * 1000) as snapshot_at,
    make_timestamp($minute_ms::bigint * 1000) as minute_at,
    $quotes_session::date as quotes_session_date,
    $interest_session::date as open_interest_session_date,
    $stores_prices::boolean as stores_prices,
    make_timestamp($spotted_ms::bigint * 1000) as spotted_at,
    $last::double as last
