-- import.databento_trades: Databento OPRA `trades` and `tbbo` as CSV with mapped symbols.
-- The schema has no sale conditions, so condition stays null. Times are ISO 8601 or nanoseconds;
-- prices are decimal, or whole numbers of 1e-9; the largest 64-bit numbers mean "undefined".
with

timed as (
    select
        *,
        coalesce(
            utc_instant(ts_event), make_timestamp(try_cast(ts_event as bigint) // 1000),
            utc_instant(ts_recv), make_timestamp(try_cast(ts_recv as bigint) // 1000)
        ) as instant_at
    from import.rows
),

priced as (
    select
        *,
        nano_price(price) as trade_price,
        nano_price(bid_px_00) as bid,
        nano_price(ask_px_00) as ask
    from timed
)

select
    line_number,
    row_reason,
    case when action <> 'T' then 'not a trade' end as skip_reason,
    null::date as session_date,
    instant_at,
    null::timestamp as wall_at,
    nullif(osi_parts(symbol).root, '') as root,
    osi_expiry(osi_parts(symbol).expiry) as expiry,
    try_cast(osi_parts(symbol).strike as double) / 1000 as strike,
    nullif(osi_parts(symbol).option_type, '') as option_type,
    publisher_id as exchange,
    try_cast(sequence as bigint) as vendor_sequence,
    try_cast(size as double) as size,
    trade_price as price,
    null::varchar as condition_id,
    null::varchar as vendor_condition,
    null::varchar as trade_id,
    stated_bid(bid, ask) as best_bid,
    stated_ask(ask) as best_ask,
    try_cast(bid_sz_00 as double) as bid_size,
    try_cast(ask_sz_00 as double) as ask_size,
    null::timestamp as quoted_at,
    null::double as underlying_price,
    null::timestamp as known_at
from priced
