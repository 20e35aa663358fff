-- book.bar_states: the minutes whose surface prices the doubts, and the minutes each one serves:
-- from itself to the next. The first is the first minute with an index and any forward.
-- grain: minute_at
-- reads: surface.forwards, tape.minutes
with

priced as (
    select
        minute_at,
        any_value(minute_et) as minute_et,
        any_value(spot) as spot,
        min(years) as years
    from surface.forwards
    where forward is not null and years > 0 and spot is not null
    group by minute_at
),

states as (
    select minute_at as state_at, minute_et as state_et, spot
    from priced
    where minute(minute_at) % bar_minutes(years) = 0
        or minute_at = (select min(minute_at) from priced)
)

select
    minutes.minute_at,
    states.state_at,
    states.state_et,
    states.spot as state_spot
from tape.minutes as minutes
asof join states on minutes.minute_at >= states.state_at
