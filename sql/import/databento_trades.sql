-- import.databento_trades: Databento OPRA `trades`, `tbbo` and `tcbbo` as CSV with mapped symbols.
-- The schemas have no sale conditions, so condition stays null. Times are UTC: ISO 8601, or digits
-- since 1970. All prices of a file are decimal, or all are whole numbers of 1e-9; the largest
-- 64-bit numbers mean "undefined". A tcbbo has no sequence.
-- grain: line_number
-- reads: import.rows
with

prices as (
    select nullif(unnest([price, bid_px_00, ask_px_00]), '9223372036854775807') as price
    from import.rows
),

form as (
    select
        quantile_disc(epoch_power(ts_event), 0.5) as event_power,
        quantile_disc(epoch_power(ts_recv), 0.5) as receipt_power,
        (select are_fixed_prices(price) from prices) as is_fixed
    from import.rows
),

timed as (
    select
        rows.*,
        form.event_power,
        coalesce(
            stated_instant(ts_event, form.event_power), iso_wall(ts_event),
            stated_instant(ts_recv, form.receipt_power), iso_wall(ts_recv)
        ) as instant_at,
        databento_price(price, form.is_fixed) as trade_price,
        databento_price(bid_px_00, form.is_fixed) as bid,
        databento_price(ask_px_00, form.is_fixed) as ask
    from import.rows as rows
    cross join form
)

select
    line_number,
    row_reason,
    coalesce(
        instant_fault('ts_event', ts_event, instant_at, event_power,
            '2026-10-14T14:00:00.123456789Z'),
        whole_fault('sequence', sequence)
    ) as cell_reason,
    case when action <> 'T' then 'not a trade' end as skip_reason,
    null::date as session_date,
    instant_at,
    null::timestamp as wall_at,
    nullif(osi_parts(symbol).root, '') as root,
    osi_expiry(osi_parts(symbol).expiry) as expiry,
    try_cast(osi_parts(symbol).strike as double) / 1000 as strike,
    nullif(osi_parts(symbol).option_type, '') as option_type,
    whole_ids(publisher_id) as exchange,
    whole_number(sequence) as vendor_sequence,
    whole_number(size)::double as size,
    trade_price as price,
    null::varchar as condition_id,
    null::varchar as vendor_condition,
    null::varchar as trade_id,
    stated_bid(bid, ask) as best_bid,
    stated_ask(ask) as best_ask,
    stated_number(bid_sz_00) as bid_size,
    stated_number(ask_sz_00) as ask_size,
    null::timestamp as quoted_at,
    null::timestamp as quoted_wall_at,
    null::double as underlying_price,
    null::timestamp as known_at
from timed
