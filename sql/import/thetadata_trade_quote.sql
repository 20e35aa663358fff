-- import.thetadata_trade_quote: ThetaData option history, each trade with the quote before it.
-- Times are ISO 8601, in ET unless they include a time zone, or digits since 1970; the extended
-- conditions repeat `condition`.
-- grain: line_number
-- reads: import.rows
with

form as (select quantile_disc(epoch_power(trade_timestamp), 0.5) as power from import.rows),

timed as (
    select
        rows.*,
        form.power,
        try_cast(bid as double) as stated_bid,
        try_cast(ask as double) as stated_ask,
        stated_instant(trade_timestamp, form.power) as instant_at,
        iso_wall(trade_timestamp) as wall_at,
        -- 0 where there was no quote
        nullif(quote_timestamp, '0') as quote_time,
        stated_instant(quote_timestamp, form.power) as quoted_at,
        iso_wall(quote_timestamp) as quoted_wall_at
    from import.rows as rows
    cross join form
)

select
    line_number,
    row_reason,
    coalesce(
        instant_fault('trade_timestamp', trade_timestamp, coalesce(instant_at, wall_at), power,
            '2024-11-04T09:30:01.123'),
        case when quote_time is not null then
            instant_fault('quote_timestamp', quote_time, coalesce(quoted_at, quoted_wall_at),
                power, '2024-11-04T09:30:01.123')
        end,
        whole_fault('sequence', sequence)
    ) as cell_reason,
    null::varchar as skip_reason,
    null::date as session_date,
    instant_at,
    wall_at,
    symbol as root,
    stated_date(expiration) as expiry,
    try_cast(strike as double) as strike,
    option_letter("right") as option_type,
    whole_ids(exchange) as exchange,
    whole_number(sequence) as vendor_sequence,
    whole_number(size)::double as size,
    try_cast(price as double) as price,
    whole_ids(condition) as condition_id,
    condition as vendor_condition,
    null::varchar as trade_id,
    stated_bid(stated_bid, stated_ask) as best_bid,
    stated_ask(stated_ask) as best_ask,
    stated_number(bid_size) as bid_size,
    stated_number(ask_size) as ask_size,
    quoted_at,
    quoted_wall_at,
    null::double as underlying_price,
    null::timestamp as known_at
from timed
