-- surface.index_spots: the last index value strictly before each minute, at most five minutes old.
-- grain: minute_et
-- reads: surface.spot_values, tape.minutes
with

-- minutes of its own make the search for those it can serve an equality join
candidate_spots as (
    select *, unnest(minutes_served(spotted_at)) as served_at
    from surface.spot_values
),

served as (
    select
        minutes.minute_at,
        arg_max(
            {'spot': candidate_spots.spot, 'spotted_at': candidate_spots.spotted_at},
            {'spotted_at': candidate_spots.spotted_at, 'sequence': candidate_spots.sequence}
        ) as last_known
    from candidate_spots
    inner join tape.minutes as minutes on minutes.minute_at = candidate_spots.served_at
    where serves_minute(
        candidate_spots.spotted_at,
        candidate_spots.known_at,
        candidate_spots.serves_until,
        minutes.minute_at
    )
    group by minutes.minute_at
)

select
    minutes.minute_et,
    minutes.minute_at,
    served.last_known.spot as spot,
    served.last_known.spotted_at as spotted_at
from tape.minutes as minutes
left join served on served.minute_at = minutes.minute_at
