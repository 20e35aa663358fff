-- import.thetadata_trade_quote: ThetaData option history, each trade with the quote before it.
-- Times are milliseconds since 1970, UTC; the extended conditions repeat what `condition` says.
with

numbered as (
    select *, try_cast(bid as double) as stated_bid, try_cast(ask as double) as stated_ask
    from import.rows
)

select
    line_number,
    row_reason,
    null::varchar as skip_reason,
    null::date as session_date,
    make_timestamp(try_cast(trade_timestamp as bigint) * 1000) as instant_at,
    null::timestamp as wall_at,
    symbol as root,
    try_cast(expiration as date) as expiry,
    try_cast(strike as double) as strike,
    case upper("right") when 'CALL' then 'C' when 'PUT' then 'P' else upper("right") end
        as option_type,
    exchange,
    try_cast(sequence as bigint) as vendor_sequence,
    try_cast(size as double) as size,
    try_cast(price as double) as price,
    condition as condition_id,
    condition as vendor_condition,
    null::varchar as trade_id,
    stated_bid(stated_bid, stated_ask) as best_bid,
    stated_ask(stated_ask) as best_ask,
    try_cast(bid_size as double) as bid_size,
    try_cast(ask_size as double) as ask_size,
    make_timestamp(try_cast(quote_timestamp as bigint) * 1000) as quoted_at,
    null::double as underlying_price,
    null::timestamp as known_at
from numbered
