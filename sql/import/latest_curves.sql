-- import.latest_curves: the yield curves a session may use, each whole: at every instant from which
-- more is known, the latest curve before the session of all that was known by then, so many days
-- old at most. An imported curve goes before those that come with the product.
-- grain: known_at, tenor_days
-- reads: import.curves, import.reference_curves
-- param: curve_days, session
with

usable as (
    select *, true as is_imported
    from import.curves
    union all by name
    select *, false as is_imported
    from import.reference_curves
),

-- known before the session: at the beginning of time
dated as (
    select * replace (coalesce(known_at, timestamp '-infinity') as known_at)
    from usable
    where session_date < $session::date
        and session_date >= $session::date - $curve_days::integer
        and rate is not null
),

known_times as (select distinct known_at from dated),

known as (
    select
        known_times.known_at as since_at,
        dated.*,
        dense_rank() over (
            partition by known_times.known_at
            order by dated.is_imported desc, dated.session_date desc
        ) as curve_rank
    from known_times
    inner join dated on dated.known_at <= known_times.known_at
)

select
    session_date,
    tenor_days::integer as tenor_days,
    rate,
    nullif(since_at, timestamp '-infinity') as known_at
from known
where curve_rank = 1
order by known_at nulls first, tenor_days
