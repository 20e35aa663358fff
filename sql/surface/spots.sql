-- surface.spots: the last index value strictly before each minute, at most five minutes old.
-- A tape without index values gives the underlying price that its prints carried.
-- grain: minute_et
-- reads: tape.minutes, tape.prints, tape.spots
with

known_spots as (
    select spotted_at, spotted_at as known_at, 0 as sequence, spot from tape.spots
    union all
    select printed_at, known_at, sequence, underlying_price
    from tape.prints
    where (select count(*) from tape.spots) = 0
        and underlying_price > 0
),

-- a value serves the minutes that end within five minutes of it
served as (
    select
        minutes.minute_at,
        arg_max(
            {'spot': known_spots.spot, 'spotted_at': known_spots.spotted_at},
            {'spotted_at': known_spots.spotted_at, 'sequence': known_spots.sequence}
        ) as last_known,
    from known_spots
    cross join range(0, 6) as ahead(minutes)
    join tape.minutes as minutes
        on minutes.minute_at
            = date_trunc('minute', known_spots.spotted_at) + to_minutes(ahead.minutes)
    where known_spots.spotted_at < minutes.minute_at
        and known_spots.spotted_at >= minutes.minute_at - interval 5 minutes
        and known_spots.known_at < minutes.minute_at
    group by minutes.minute_at
)

select
    minutes.minute_et,
    minutes.minute_at,
    served.last_known.spot as spot,
    served.last_known.spotted_at as spotted_at,
    case when served.minute_at is null then 'no_spot' end as reason,
from tape.minutes as minutes
left join served on served.minute_at = minutes.minute_at
