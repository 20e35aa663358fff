-- live.step: the instants between which the newest states lie. A row instead of parameters: a plan
-- that is kept has none that change.
-- grain: one row
-- reads:
-- param: since_ms, until_ms
select
    make_timestamp($since_ms::bigint * 1000) as since_at,
    make_timestamp($until_ms::bigint * 1000) as until_at
