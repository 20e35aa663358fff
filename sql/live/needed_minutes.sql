-- live.needed_minutes: the states that the books of the new ones look back on: the first with a
-- forward, 09:31 for the session's expected move, the last that priced the doubts before them, the
-- one before them, and they themselves.
-- grain: minute_at
-- reads: live.step, surface.forwards, tape.minutes
with

known as (
    select minute_et, minute_at
    from tape.minutes
    where minute_at <= (select until_at from live.step)
),

priced as (
    select distinct minute_at
    from surface.forwards
    where forward is not null and years > 0 and spot is not null
)

select minute_et, minute_at
from known
where minute_et = '09:31'
    or minute_at >= (select since_at from live.step)
    or minute_at = (select min(minute_at) from priced)
    or minute_at = (
        select max(minute_at)
        from priced
        where minute(minute_at) % bar_minutes() = 0
            and minute_at <= (select since_at from live.step)
    )
order by minute_at
