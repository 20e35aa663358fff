-- import.thetadata_quotes: ThetaData's option/history/quote by the minute. A row has the last quote
-- as of its timestamp, so that it is the state of that minute. Times are ISO 8601, in ET unless they
-- include a time zone, or digits since 1970.
-- grain: line_number
-- reads: import.rows
with

form as (select quantile_disc(epoch_power("timestamp"), 0.5) as power from import.rows),

timed as (
    select
        rows.*,
        form.power,
        try_cast(bid as double) as quoted_bid,
        try_cast(ask as double) as quoted_ask,
        stated_instant("timestamp", form.power) as instant_at,
        iso_wall("timestamp") as wall_at,
        coalesce(instant_at, wall_at) as stated_at
    from import.rows as rows
    cross join form
)

select
    line_number,
    coalesce(
        row_reason,
        instant_fault('timestamp', "timestamp", stated_at, power, '2024-11-04T09:31:00.000'),
        case when stated_at <> date_trunc('minute', stated_at) then format(
            'timestamp is {}, not a whole minute; ask for interval=1m', left("timestamp", 40)
        ) end
    ) as row_reason,
    null::varchar as skip_reason,
    null::date as session_date,
    instant_at,
    wall_at,
    symbol as root,
    stated_date(expiration) as expiry,
    try_cast(strike as double) as strike,
    option_letter("right") as option_type,
    stated_bid(quoted_bid, quoted_ask) as best_bid,
    stated_ask(quoted_ask) as best_ask,
    stated_number(bid_size) as bid_size,
    stated_number(ask_size) as ask_size,
    null::timestamp as quoted_at,
    null::timestamp as known_at
from timed
