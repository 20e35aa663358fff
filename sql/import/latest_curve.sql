-- import.latest_curve: the yield curve a session may use: the latest before it, ten days old at
-- most.
-- param: session
with

usable as (
    select max(session_date) as session_date
    from import.curves
    where session_date < $session::date
        and session_date >= $session::date - interval 10 days
)

select
    curves.session_date,
    curves.tenor_days::integer as tenor_days,
    curves.rate
from import.curves as curves
semi join usable using (session_date)
where curves.rate is not null
order by tenor_days
