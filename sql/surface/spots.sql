-- surface.spots: the last index value strictly before each minute, at most five minutes old.
-- Before any index value is known, a tape gives the underlying price that its prints carried: those
-- of the session's symbol, whose roots are those of tape.expiries.
-- grain: minute_et
-- reads: surface.sources, tape.expiries, tape.minutes, tape.prints, tape.spots
with

known_spots as (
    -- of two values of an instant the one that names its symbol
    select spotted_at, known_at, (symbol is not null)::bigint as sequence, spot, true as is_index
    from tape.spots
    union all
    select printed_at, known_at, sequence, underlying_price, false
    from tape.prints
    -- what was printed later serves later minutes
    where printed_at < coalesce((select spots_from from surface.sources), 'infinity')
        and underlying_price > 0
        and root in (select root from tape.expiries)
),

-- minutes of its own make the search for those it can serve a join of equals
reaching as (
    select
        *,
        date_trunc('minute', spotted_at) + to_minutes(unnest(range(0, 6))) as reached_at
    from known_spots
),

-- a value serves the minutes that end within five minutes of it
served as (
    select
        minutes.minute_at,
        arg_max(
            {'spot': reaching.spot, 'spotted_at': reaching.spotted_at},
            {'spotted_at': reaching.spotted_at, 'sequence': reaching.sequence}
        ) as last_known
    from reaching
    inner join tape.minutes as minutes on minutes.minute_at = reaching.reached_at
    where reaching.spotted_at < minutes.minute_at
        and reaching.spotted_at >= minutes.minute_at - interval 5 minutes
        and reaching.known_at < minutes.minute_at
        and (
            reaching.is_index
            or minutes.minute_at
                <= coalesce((select spots_from from surface.sources), 'infinity')
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
