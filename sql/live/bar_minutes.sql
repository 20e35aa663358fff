-- live.bar_minutes: the new states whose surface prices the doubts, as in book.bar_states.
-- grain: minute_at
-- reads: live.new_minutes, surface.forwards
with

priced as (
    select minute_at, min(years) as years
    from surface.forwards
    where forward is not null and years > 0 and spot is not null
    group by minute_at
)

select minutes.minute_et, minutes.minute_at
from live.new_minutes as minutes
inner join priced using (minute_at)
where minute(minutes.minute_at) % bar_minutes(priced.years) = 0
    or minutes.minute_at = (select min(minute_at) from priced)
