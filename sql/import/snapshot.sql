-- import.snapshot: the instant and the index of a chain, and the sessions that it is stored for.
-- grain: one row
-- reads:
-- param: interest_session, last, minute_ms, quotes_session, taken_ms
select
    make_timestamp($taken_ms::bigint * 1000) as snapshot_at,
    make_timestamp($minute_ms::bigint * 1000) as minute_at,
    $quotes_session::date as quotes_session_date,
    $interest_session::date as open_interest_session_date,
    $last::double as last
