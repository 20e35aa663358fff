-- import.snapshot: the instants of a chain and of its index, and the sessions that it is stored for.
-- The quotes of one that no minute may use are not stored.
-- grain: one row
-- reads:
-- param: interest_session, last, minute_ms, quotes_session, spotted_ms, stores_quotes, taken_ms
select
    make_timestamp($taken_ms::bigint * 1000) as snapshot_at,
    make_timestamp($minute_ms::bigint * 1000) as minute_at,
    $quotes_session::date as quotes_session_date,
    $interest_session::date as open_interest_session_date,
    $stores_quotes::boolean as stores_quotes,
    make_timestamp($spotted_ms::bigint * 1000) as spotted_at,
    $last::double as last
