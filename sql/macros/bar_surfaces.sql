-- The minutes of `forwards_table` whose surface prices the deviations: the first with an index and
-- any forward, and from there on one in bar_minutes().
create or replace macro bar_surfaces(forwards_table) as table
with

priced as (
    select
        minute_at,
        any_value(minute_et) as minute_et,
        any_value(spot) as spot,
        min(years) as years
    from query_table(forwards_table)
    where forward is not null and years > 0 and spot is not null
    group by minute_at
)

select minute_at, minute_et, spot
from priced
where minute(minute_at) % bar_minutes(years) = 0
    or minute_at = (select min(minute_at) from priced)
