-- import.thetadata_open_interest: ThetaData's option/history/open_interest: the report of a morning,
-- about 06:30 ET, known from its timestamp on. Times are ISO 8601, in ET unless they include a
-- time zone, or digits since 1970.
-- grain: line_number
-- reads: import.rows
with

form as (select quantile_disc(epoch_power("timestamp"), 0.5) as power from import.rows),

timed as (
    select
        rows.*,
        form.power,
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
            '2024-11-04T06:30:02.000')
    ) as row_reason,
    null::varchar as skip_reason,
    null::date as session_date,
    instant_at,
    wall_at,
    symbol as root,
    stated_date(expiration) as expiry,
    try_cast(strike as double) as strike,
    option_letter("right") as option_type,
    try_cast(open_interest as double) as open_interest,
    null::timestamp as known_at
from timed
