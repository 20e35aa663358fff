-- book.bar_states: the minutes whose surface prices the deviations, and the minutes each one
-- serves: from itself to the next. The first is the first minute with an index and any forward.
-- grain: minute_at
-- reads: surface.forwards, tape.minutes
with

forwards as (from surface.forwards),

states as (
    select minute_at as state_at, minute_et as state_et, spot
    from bar_surfaces('forwards')
)

select
    minutes.minute_at,
    states.state_at,
    states.state_et,
    states.spot as state_spot
from tape.minutes as minutes
asof join states on minutes.minute_at >= states.state_at
