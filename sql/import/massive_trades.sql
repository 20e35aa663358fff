-- import.massive_trades: Massive (Polygon) option trades flat files. Times are nanoseconds, UTC.
-- An empty list of conditions is documented nowhere and is seen before the open: it is read as a
-- regular print within 09:30-16:15 ET and as extended hours outside (import.judged_prints).
select
    line_number,
    row_reason,
    null::varchar as skip_reason,
    null::date as session_date,
    make_timestamp(try_cast(sip_timestamp as bigint) // 1000) as instant_at,
    null::timestamp as wall_at,
    nullif(osi_parts(ticker).root, '') as root,
    osi_expiry(osi_parts(ticker).expiry) as expiry,
    try_cast(osi_parts(ticker).strike as double) / 1000 as strike,
    nullif(osi_parts(ticker).option_type, '') as option_type,
    exchange,
    null::bigint as vendor_sequence,
    try_cast(size as double) as size,
    try_cast(price as double) as price,
    coalesce(conditions, '') as condition_id,
    conditions as vendor_condition,
    null::varchar as trade_id,
    null::double as best_bid,
    null::double as best_ask,
    null::double as bid_size,
    null::double as ask_size,
    null::timestamp as quoted_at,
    null::double as underlying_price,
    null::timestamp as known_at
from import.rows
