-- lab.era_samples: results of one leg of a rule over some sessions: its own trades, and all those
-- of its core, which has no conditions. Figures are of trades whose end is known; t is of the mean
-- of r, clustered by session, and null with fewer than two of them or where nothing differs. Reads
-- the table of trades of a run.
-- grain: sample
-- reads: lab.trades
-- param: first_day, last_day, rule_leg
with

ended as (
    select session_date, r, pnl_usd, in_rule
    from lab.trades
    where rule_leg = $rule_leg::integer
        and session_date between $first_day and $last_day
        and r is not null
),

samples as (
    select 'core' as sample, session_date, r, pnl_usd from ended
    union all
    select 'rule' as sample, session_date, r, pnl_usd from ended where in_rule
),

centred as (select *, r - avg(r) over (partition by sample) as residual from samples),

days as (
    select
        sample,
        session_date,
        sum(pnl_usd) as usd,
        sum(residual) as residual
    from centred
    group by sample, session_date
),

running as (
    select
        *,
        sum(usd) over (
            partition by sample order by session_date rows unbounded preceding
        ) as total_usd
    from days
),

falls as (
    select
        *,
        greatest(0::double, max(total_usd) over (
            partition by sample order by session_date rows unbounded preceding
        )) - total_usd as fall_usd
    from running
),

-- a variance so near to zero is of rounding alone
clusters as (
    select
        sample,
        count(*) as days,
        max(fall_usd) as drawdown_usd,
        case when count(*) > 1 and sum(residual * residual) > 1e-24::double then
            sqrt(sum(residual * residual) * count(*) / (count(*) - 1))
        end as error_sum
    from falls
    group by sample
),

figures as (
    select
        sample,
        count(*)::integer as n,
        avg(r) as mean,
        median(r) as median,
        avg((r > 0)::integer) as win,
        sum(pnl_usd) as sum_usd,
        sum(r) as sum_r
    from samples
    group by sample
)

select
    figures.sample,
    clusters.days::integer as days,
    figures.n,
    figures.mean,
    figures.median,
    figures.win,
    figures.sum_usd,
    clusters.drawdown_usd,
    figures.sum_r / clusters.error_sum as t
from figures
inner join clusters using (sample)
order by figures.sample
