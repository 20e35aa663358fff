-- live.book_minutes: the states whose doubts the newest one tells apart: those it looks back on,
-- and all since the last that priced the doubts: one without a forward prices nothing.
-- grain: minute_at
-- reads: live.states, live.step, surface.forwards, tape.minutes
with

known as (
    select distinct minute_at
    from surface.forwards
    where forward is not null and years > 0 and spot is not null
),

priced as (
    select max(minute_at) as minute_at
    from known
    where minute(minute_at) % bar_minutes() = 0
        and minute_at <= (select since_at from live.step)
)

select minute_et, minute_at from live.states
union
select minutes.minute_et, minutes.minute_at
from tape.minutes as minutes
cross join priced
where minutes.minute_at > coalesce(priced.minute_at, timestamp '1970-01-01')
    and minutes.minute_at <= (select until_at from live.step)
order by minute_at
