-- import.massive_trades: Massive (Polygon) option trades flat files. Times are UTC, in nanoseconds
-- or the unit that the digits of the file indicate. A correction other than 0 marks a print that
-- was changed or taken back, and nobody has documented which way for options: quarantine. An empty
-- list of conditions is documented nowhere and is seen before the open: it is read as a regular
-- print within 09:30-16:15 ET and as extended hours outside (import.judged_prints).
-- grain: line_number
-- reads: import.rows
with

form as (select quantile_disc(epoch_power(sip_timestamp), 0.5) as power from import.rows),

timed as (
    select
        rows.*,
        form.power,
        coalesce(stated_instant(sip_timestamp, form.power), iso_wall(sip_timestamp)) as instant_at
    from import.rows as rows
    cross join form
)

select
    line_number,
    row_reason,
    instant_fault('sip_timestamp', sip_timestamp, instant_at, power, '1791986400123456789')
        as cell_reason,
    null::varchar as skip_reason,
    null::date as session_date,
    instant_at,
    null::timestamp as wall_at,
    nullif(osi_parts(ticker).root, '') as root,
    osi_expiry(osi_parts(ticker).expiry) as expiry,
    try_cast(osi_parts(ticker).strike as double) / 1000 as strike,
    nullif(osi_parts(ticker).option_type, '') as option_type,
    whole_ids(exchange) as exchange,
    null::bigint as vendor_sequence,
    whole_number(size)::double as size,
    try_cast(price as double) as price,
    case
        when coalesce(try_cast(correction as double) = 0, correction is null)
            then coalesce(whole_ids(conditions), '')
        else 'correction ' || whole_ids(correction)
    end as condition_id,
    conditions as vendor_condition,
    null::varchar as trade_id,
    null::double as best_bid,
    null::double as best_ask,
    null::double as bid_size,
    null::double as ask_size,
    null::timestamp as quoted_at,
    null::timestamp as quoted_wall_at,
    null::double as underlying_price,
    null::timestamp as known_at
from timed
