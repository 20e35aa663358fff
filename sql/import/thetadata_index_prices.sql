-- import.thetadata_index_prices: ThetaData's index/history/price, each price that of its timestamp.
-- A file that does not say whose is read as the S&P 500. A price of 0 stands where the index had
-- none yet. Times are ISO 8601, in ET unless they include a time zone, or digits since 1970.
-- grain: line_number
-- reads: import.rows
with

form as (select quantile_disc(epoch_power("timestamp"), 0.5) as power from import.rows),

timed as (
    select
        rows.*,
        form.power,
        coalesce(upper(symbol), 'SPX') as own_symbol,
        try_cast(price as double) as spot,
        stated_instant("timestamp", form.power) as instant_at,
        iso_wall("timestamp") as wall_at
    from import.rows as rows
    cross join form
)

select
    line_number,
    coalesce(
        row_reason,
        instant_fault('timestamp', "timestamp", coalesce(instant_at, wall_at), power,
            '2024-11-04T09:30:01.000'),
        case
            when own_symbol = 'SPX' and spot > 0 and spot not between 500 and 100000 then format(
                'price is {}, which is no value of the S&P 500', left(price, 40)
            )
        end
    ) as row_reason,
    case when spot = 0 then 'no price' end as skip_reason,
    null::date as session_date,
    instant_at,
    wall_at,
    spot,
    null::timestamp as known_at,
    own_symbol as symbol
from timed
