-- views.known_stats: counts of the ledger as it was known before an instant, and when the newest
-- message that it rests on became known, in ET.
-- grain: one row
-- reads: ledger.message_times, ledger.versions
-- param: known_before_ms
with

known as (
    select *
    from ledger.versions
    where visible_at < make_timestamp($known_before_ms::bigint * 1000)
        and coalesce(superseded_at >= make_timestamp($known_before_ms::bigint * 1000), true)
),

newest as (
    select max(known_at) as known_at
    from ledger.message_times
    where known_at < make_timestamp($known_before_ms::bigint * 1000)
)

select
    strftime(
        timezone('America/New_York', timezone('UTC', any_value(newest.known_at))), '%H:%M:%S'
    ) as asof_et,
    count(known.order_id)::integer as order_count,
    coalesce(sum(known.net_premium_usd::bigint)::double, 0) as net_premium_usd,
    count(*) filter (known.sign = 0)::integer as no_side_count,
    count(*) filter (
        known.order_id is not null and known.dealer_gamma_musd_per_point is null
    )::integer as no_gamma_count,
    count(*) filter (known.dealer_gamma_musd_per_point > 0)::integer as gamma_up_count,
    count(*) filter (known.dealer_gamma_musd_per_point < 0)::integer as gamma_down_count,
    count(*) filter (known.dealer_gamma_musd_per_point = 0)::integer as gamma_flat_count
from newest
left join known on true
