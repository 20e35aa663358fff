-- views.known_missing_minutes: minutes of the session that were over at an instant, and of which no
-- print was known before it.
-- grain: minute_et
-- reads: ledger.printed_minutes
-- param: closes_ms, known_before_ms, opens_ms
with

over as (
    select
        unnest(generate_series(
            make_timestamp($opens_ms::bigint * 1000),
            make_timestamp(least($closes_ms::bigint, $known_before_ms::bigint) * 1000)
                - interval 1 minute,
            interval 1 minute
        )) as minute_at,
),

printed as (
    select minute_at
    from ledger.printed_minutes
    where known_at < make_timestamp($known_before_ms::bigint * 1000)
)

select
    strftime(timezone('America/New_York', timezone('UTC', over.minute_at)), '%H:%M') as minute_et
from over
anti join printed using (minute_at)
order by minute_et
