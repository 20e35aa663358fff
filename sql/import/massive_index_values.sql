-- import.massive_index_values: Massive (Polygon) flat files of index values. Times are UTC, in
-- nanoseconds or the unit that the digits of the file indicate.
-- grain: line_number
-- reads: import.rows
with

form as (select quantile_disc(epoch_power("timestamp"), 0.5) as power from import.rows),

timed as (
    select
        rows.*,
        form.power,
        coalesce(stated_instant("timestamp", form.power), iso_wall("timestamp")) as instant_at,
        nullif(regexp_extract(ticker, '^I:(.+)$', 1), '') as symbol
    from import.rows as rows
    cross join form
)

select
    line_number,
    coalesce(
        row_reason,
        case when symbol is null
            then format('ticker is {}, not one such as I:SPX', coalesce(left(ticker, 40), 'missing'))
        end,
        instant_fault('timestamp', "timestamp", instant_at, power, '1791986400123456789')
    ) as row_reason,
    null::varchar as skip_reason,
    null::date as session_date,
    instant_at,
    null::timestamp as wall_at,
    try_cast(value as double) as spot,
    null::timestamp as known_at,
    symbol
from timed
