-- import.dates: the days the rows speak of, as the keys of import.days.
-- An instant counts on the day of UTC-5: between that midnight and the one in New York nothing
-- starts, so both lie in the same session.
-- grain: day
-- reads: import.candidates
with

-- read once: the rows may still be text
stated_days as (
    select distinct
        coalesce(wall_at, instant_at - interval 5 hours)::date as stated_on,
        session_date
    from import.candidates
),

days as (
    select unnest([stated_on, session_date]) as day from stated_days
)

select distinct day::varchar as day
from days
where day between date '2000-01-01' and date '2100-12-31'
order by day
