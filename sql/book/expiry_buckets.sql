-- book.expiry_buckets: the expiries that are shown apart at each state and at each pricing of the
-- deviations: that of the session ('0dte'), the next one of which was known by then that there is
-- one ('next'), and the monthly one, the third Friday or, on a holiday, the Thursday before, which
-- may be one of them. All other expiries are 'later'. Two expiries are in one bucket where the
-- exchange closed on the day of one of them, so that both end together.
-- grain: minute_at, expiry
-- reads: book.bar_states, tape.expiries, tape.minutes, tape.session
with

minutes as (
    select minute_at from tape.minutes
    union
    select state_at from book.bar_states
),

listed as (
    select
        minutes.minute_at,
        session.session_date,
        expiries.expiry,
        min(expiries.ends_on) as ends_on
    from minutes
    cross join tape.session as session
    inner join tape.expiries as expiries
        on expiries.known_at < minutes.minute_at and expiries.ends_on >= session.session_date
    group by all
),

dated as (
    select
        *,
        min(ends_on) filter (ends_on > session_date) over one_minute as next_end,
        isodow(expiry) = 5 and day(expiry) between 15 and 21
        or isodow(expiry) = 4
        and day(expiry) between 14 and 20
        and not list_contains(list(expiry) over one_minute, expiry + 1) as is_month_end
    from listed
    window one_minute as (partition by minute_at)
),

named as (
    select
        minute_at,
        expiry,
        case when ends_on = session_date then '0dte' when ends_on = next_end then 'next' end
            as near_bucket,
        is_month_end
        and expiry = min(expiry) filter (is_month_end) over (partition by minute_at) as is_monthly
    from dated
)

select
    minute_at,
    expiry,
    coalesce(near_bucket, 'later') as bucket,
    is_monthly
from named
where near_bucket is not null or is_monthly
