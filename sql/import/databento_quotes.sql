-- import.databento_quotes: Databento OPRA `cbbo-1m` as CSV with mapped symbols: the last NBBO of a
-- minute, at the minute's end (ts_recv); ts_event is the time of the last trade, and is not read.
-- All prices of a file are decimal, or all are whole numbers of 1e-9; the largest 64-bit numbers
-- mean "undefined". Times are UTC: ISO 8601, or digits since 1970.
-- grain: line_number
-- reads: import.rows
with

prices as (
    select nullif(unnest([bid_px_00, ask_px_00]), '9223372036854775807') as price
    from import.rows
),

form as (
    select
        quantile_disc(epoch_power(ts_recv), 0.5) as power,
        (select are_fixed_prices(price) from prices) as is_fixed
    from import.rows
),

timed as (
    select
        rows.*,
        form.power,
        coalesce(stated_instant(ts_recv, form.power), iso_wall(ts_recv)) as instant_at,
        databento_price(bid_px_00, form.is_fixed) as quoted_bid,
        databento_price(ask_px_00, form.is_fixed) as quoted_ask
    from import.rows as rows
    cross join form
)

select
    line_number,
    coalesce(
        row_reason,
        case when coalesce(whole_number(rtype) <> 193, true)
            then format('rtype is {}, not 193 (cbbo-1m)', coalesce(left(rtype, 40), 'missing'))
        end,
        instant_fault('ts_recv', ts_recv, instant_at, power, '2026-10-14T14:01:00.000000000Z'),
        case when instant_at <> date_trunc('minute', instant_at)
            then format('ts_recv is {}, not the end of a minute', left(ts_recv, 40))
        end
    ) as row_reason,
    null::varchar as skip_reason,
    null::date as session_date,
    instant_at,
    null::timestamp as wall_at,
    nullif(osi_parts(symbol).root, '') as root,
    osi_expiry(osi_parts(symbol).expiry) as expiry,
    try_cast(osi_parts(symbol).strike as double) / 1000 as strike,
    nullif(osi_parts(symbol).option_type, '') as option_type,
    stated_bid(quoted_bid, quoted_ask) as best_bid,
    stated_ask(quoted_ask) as best_ask,
    stated_number(bid_sz_00) as bid_size,
    stated_number(ask_sz_00) as ask_size,
    null::timestamp as quoted_at,
    null::timestamp as known_at
from timed
