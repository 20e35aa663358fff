-- live.step: the instants between which the newest states lie, and the last state up to each. Data
-- that became known before the first state of a session is new to that state. A row instead of
-- parameters, so that the cached plan contains no changing values.
-- grain: one row
-- reads: tape.minutes
-- param: since_ms, until_ms
with

instants as (
    select
        make_timestamp($since_ms::bigint * 1000) as since_at,
        make_timestamp($until_ms::bigint * 1000) as until_at
)

select
    since_at,
    until_at,
    coalesce(max(minute_at) filter (minute_at <= since_at), timestamp '1970-01-01')
        as previous_state_at,
    coalesce(max(minute_at) filter (minute_at <= until_at), timestamp '1970-01-01')
        as current_state_at
from instants
left join tape.minutes on true
group by since_at, until_at
