-- tape.session: the session that is built, by the calendar.
-- grain: one row
-- reads:
-- param: closes_ms, date, expires_ms, is_half_day, is_simulated, known_until_ms, min_premium_usd, opens_ms, symbol
select
    $date::date as session_date,
    $symbol::varchar as symbol,
    make_timestamp($opens_ms::bigint * 1000) as opens_at,
    make_timestamp($closes_ms::bigint * 1000) as closes_at,
    make_timestamp($expires_ms::bigint * 1000) as pm_expires_at,
    $is_half_day::boolean as is_half_day,
    $is_simulated::boolean as is_simulated,
    make_timestamp($known_until_ms::bigint * 1000) as known_until,
    $min_premium_usd::double as min_premium_usd
