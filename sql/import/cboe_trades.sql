-- import.cboe_trades: Cboe DataShop "Option Trades", with or without calcs. Times are ET.
-- The header ends in one group {exchange,bid_size,bid,ask_size,ask}[number_of_exchanges], so a
-- row is as long as its own number_of_exchanges says. canceled_trade_condition_id says what
-- became of a print later in the day; it is left out: the cancel's own print says the same.
-- param: header_count
with

numbered as (
    select
        *,
        try_cast(best_bid as double) as bid,
        try_cast(best_ask as double) as ask,
        try_cast(underlying_bid as double) as spot_bid,
        try_cast(underlying_ask as double) as spot_ask,
        $header_count::bigint - 5 + 5 * try_cast(number_of_exchanges as bigint) as cells_wanted
    from import.rows
)

select
    line_number,
    coalesce(row_reason, case
        when cells_wanted is null
            then format('has {} columns; {} and five an exchange are wanted',
                cell_count, $header_count::bigint - 5)
        when cell_count <> cells_wanted
            then format('has {} columns, its number_of_exchanges asks for {}',
                cell_count, cells_wanted)
    end) as row_reason,
    null::varchar as skip_reason,
    null::date as session_date,
    null::timestamp as instant_at,
    try_cast(quote_datetime as timestamp) as wall_at,
    root,
    try_cast(expiration as date) as expiry,
    try_cast(strike as double) as strike,
    option_type,
    exchange_id as exchange,
    try_cast(sequence_number as bigint) as vendor_sequence,
    try_cast(trade_size as double) as size,
    try_cast(trade_price as double) as price,
    trade_condition_id as condition_id,
    trade_condition_id as vendor_condition,
    null::varchar as trade_id,
    stated_bid(bid, ask) as best_bid,
    stated_ask(ask) as best_ask,
    null::double as bid_size,
    null::double as ask_size,
    null::timestamp as quoted_at,
    case when spot_bid > 0 and spot_ask > 0 then (spot_bid + spot_ask) / 2 end
        as underlying_price,
    null::timestamp as known_at
from numbered
