-- import.dates: the days the rows speak of, as the keys of import.days.
-- An instant counts on the day of UTC-5: between that midnight and the one in New York nothing
-- starts, so both lie in the same session.
with

spoken as (
    select coalesce(wall_at, instant_at - interval 5 hours)::date as day
    from import.candidates
    where isfinite(coalesce(wall_at, instant_at))
    union all
    select session_date as day
    from import.candidates
    where isfinite(session_date)
)

select distinct day::varchar as day
from spoken
where day between date '2000-01-01' and date '2100-12-31'
order by day
