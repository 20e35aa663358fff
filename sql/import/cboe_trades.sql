-- import.cboe_trades: Cboe DataShop "Option Trades", with or without calcs. Times are ET unless
-- they include a time zone. The header ends in one group
-- {exchange,bid_size,bid,ask_size,ask}[number_of_exchanges], so a row is as long as its own
-- number_of_exchanges says, and longer only by empty cells; a header without the group is that of a
-- file without the groups. Since 2022-06-13 the count and all after it are empty: no group follows.
-- canceled_trade_condition_id gives the disposition of a print later in the
-- day; it is left out: the cancel's own print gives the same.
-- grain: line_number
-- reads: import.rows
-- param: header_count, read_count
with

numbered as (
    select
        *,
        try_cast(best_bid as double) as bid,
        try_cast(best_ask as double) as ask,
        stated_number(underlying_bid) as spot_bid,
        stated_number(underlying_ask) as spot_ask,
        case
            when $header_count::bigint > $read_count::bigint
                and ($header_count::bigint - $read_count::bigint) % 5 = 0
                then $read_count::bigint + 5 * case
                    when number_of_exchanges is null then 0
                    else whole_number(number_of_exchanges)
                end
            else $header_count::bigint
        end as cells_wanted
    from import.rows
),

form as (select quantile_disc(epoch_power(quote_datetime), 0.5) as power from import.rows),

timed as (
    select
        numbered.*,
        form.power,
        stated_instant(quote_datetime, form.power) as instant_at,
        iso_wall(quote_datetime) as wall_at
    from numbered
    cross join form
)

select
    line_number,
    coalesce(row_reason, case
        when whole_fault('number_of_exchanges', number_of_exchanges) is not null
            then whole_fault('number_of_exchanges', number_of_exchanges)
        when number_of_exchanges is null and filled_count > cells_wanted
            then format('has {} columns and no number_of_exchanges, which says how many follow it',
                filled_count)
        when number_of_exchanges is null and cell_count < cells_wanted
            then format('has {} columns; {} are needed', cell_count, cells_wanted)
        when cell_count < cells_wanted or filled_count > cells_wanted
            then format('has {} columns, its number_of_exchanges asks for {}',
                cell_count, cells_wanted)
    end) as row_reason,
    coalesce(
        instant_fault('quote_datetime', quote_datetime, coalesce(instant_at, wall_at), power,
            '2026-10-14 09:31:00.025'),
        whole_fault('sequence_number', sequence_number)
    ) as cell_reason,
    null::varchar as skip_reason,
    null::date as session_date,
    instant_at,
    wall_at,
    root,
    stated_date(expiration) as expiry,
    try_cast(strike as double) as strike,
    option_type,
    whole_ids(exchange_id) as exchange,
    whole_number(sequence_number) as vendor_sequence,
    whole_number(trade_size)::double as size,
    try_cast(trade_price as double) as price,
    whole_ids(trade_condition_id) as condition_id,
    trade_condition_id as vendor_condition,
    null::varchar as trade_id,
    stated_bid(bid, ask) as best_bid,
    stated_ask(ask) as best_ask,
    null::double as bid_size,
    null::double as ask_size,
    null::timestamp as quoted_at,
    null::timestamp as quoted_wall_at,
    case when spot_bid > 0 and spot_ask > 0 then (spot_bid + spot_ask) / 2 end
        as underlying_price,
    null::timestamp as known_at
from timed
