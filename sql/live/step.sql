-- live.step: the instants between which the newest states lie, and the last states up to each: what
-- became known before the first state of a session is news of that one. A row instead of
-- parameters: a plan that is kept has none that change.
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
    coalesce(max(minute_at) filter (minute_at <= since_at), timestamp '1970-01-01') as told_at,
    coalesce(max(minute_at) filter (minute_at <= until_at), timestamp '1970-01-01') as tells_at
from instants
left join tape.minutes on true
group by since_at, until_at
