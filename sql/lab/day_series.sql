-- lab.day_series: profit of a leg on each session on which its core traded, the sum since the first
-- of them, and its distance below the highest; `core_usd` is the mean trade of the core. Reads the
-- table of trades of a run.
-- grain: session_date
-- reads: lab.trades
-- param: first_day, last_day, rule_leg
with

days as (
    select
        session_date,
        count(*) filter (where in_rule)::integer as n,
        coalesce(sum(r) filter (where in_rule), 0) as r,
        coalesce(sum(pnl_usd) filter (where in_rule), 0) as usd,
        avg(pnl_usd) as core_usd
    from lab.trades
    where rule_leg = $rule_leg::integer
        and session_date between $first_day and $last_day
        and r is not null
    group by session_date
),

running as (
    select *, sum(usd) over (order by session_date rows unbounded preceding) as total_usd
    from days
)

select
    session_date,
    n,
    r,
    usd,
    total_usd,
    greatest(0::double, max(total_usd) over so_far) - total_usd as drawdown_usd,
    core_usd
from running
window so_far as (order by session_date rows unbounded preceding)
order by session_date
