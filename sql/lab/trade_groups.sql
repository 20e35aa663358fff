-- lab.trade_groups: trades of one leg of a rule over some sessions by the way they ended, by weekday
-- and by month of their entry, with count, mean and share of wins of r, and the sum in USD; trades
-- of sealed sessions are not in it. Reads the table of trades of a run.
-- grain: kind, name
-- reads: lab.trades
-- param: first_day, last_day, rule_leg
with

entered as (
    select session_date, exit_reason, r, pnl_usd
    from lab.trades
    where rule_leg = $rule_leg::integer
        and session_date between $first_day and $last_day
        and in_rule
        and missed is null
        and not is_sealed
),

named as (
    select 'exits' as kind, exit_reason as name, r, pnl_usd from entered
    union all
    select 'weekdays' as kind, dayname(session_date::date) as name, r, pnl_usd
    from entered
    where r is not null
    union all
    select 'months' as kind, left(session_date, 7) as name, r, pnl_usd
    from entered
    where r is not null
)

select
    kind,
    name,
    count(*)::integer as n,
    avg(r) as mean,
    avg((r > 0)::integer) as win,
    coalesce(sum(pnl_usd), 0) as sum_usd
from named
group by kind, name
order by kind, name
