-- surface.spots: the last index value strictly before each minute, at most five minutes old.
-- grain: minute_et
-- reads: surface.known_spots, tape.minutes
with

-- minutes of its own make the search for those it can serve a join of equals
reaching as (
    select *, unnest(minutes_served(spotted_at)) as reached_at
    from surface.known_spots
),

served as (
    select
        minutes.minute_at,
        arg_max(
            {'spot': reaching.spot, 'spotted_at': reaching.spotted_at},
            {'spotted_at': reaching.spotted_at, 'sequence': reaching.sequence}
        ) as last_known
    from reaching
    inner join tape.minutes as minutes on minutes.minute_at = reaching.reached_at
    where serves_minute(
        reaching.spotted_at, reaching.known_at, reaching.serves_until, minutes.minute_at
    )
    group by minutes.minute_at
)

select
    minutes.minute_et,
    minutes.minute_at,
    served.last_known.spot as spot,
    served.last_known.spotted_at as spotted_at,
    case when served.minute_at is null then 'no_spot' end as reason
from tape.minutes as minutes
left join served on served.minute_at = minutes.minute_at
