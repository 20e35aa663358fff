-- lab.era_order: dependence of the trades of a leg on each other. `n_eff` is the equivalent number
-- of independent trades, by the intraclass correlation of sessions; null with fewer than two
-- sessions. `runs_z` is of the runs of wins and losses in time (Wald and Wolfowitz, not corrected
-- for continuity); null when all are on one side. Reads the table of trades of a run.
-- grain: one row
-- reads: lab.trades
-- param: first_day, last_day, rule_leg
with

ended as (
    select
        session_date,
        r,
        (r > 0)::integer as is_win,
        (r > 0)::integer is distinct from lag((r > 0)::integer) over in_time as is_start
    from lab.trades
    where rule_leg = $rule_leg::integer
        and session_date between $first_day and $last_day
        and r is not null
        and in_rule
    window in_time as (order by session_date, decided_et)
),

runs as (
    select
        count(*)::double as n,
        sum(is_win)::double as wins,
        count(*) filter (where is_start)::double as runs,
        avg(r) as mean,
        -- a difference so near to zero is of rounding alone
        max(r) - min(r) > 1e-12::double * max(abs(r)) as is_varied
    from ended
),

products as (select *, 2 * wins * (n - wins) as product from runs),

days as (
    select session_date, count(*)::double as n, avg(r) as mean, var_pop(r) * count(*) as spread
    from ended
    group by session_date
),

spreads as (
    select
        count(*)::double as days,
        sum(days.n * days.n) / any_value(runs.n) as mean_size,
        sum(days.n * power(days.mean - runs.mean, 2)) as between_days,
        sum(days.spread) as within_days
    from days
    cross join runs
),

squares as (
    select
        *,
        between_days / nullif(days - 1, 0) as mean_between,
        within_days / nullif(runs.n - days, 0) as mean_within,
        (runs.n - mean_size) / nullif(days - 1, 0) as size
    from spreads
    cross join runs
),

correlations as (
    select
        *,
        case when is_varied then
            (mean_between - mean_within) / (mean_between + (size - 1) * mean_within)
        end as correlation
    from squares
)

select
    case
        when correlations.days = correlations.n and correlations.days > 1 then correlations.n
        when correlations.days > 1 then
            correlations.n
            / (1 + (correlations.mean_size - 1)
                * greatest(coalesce(correlations.correlation, 1), 0))
    end as n_eff,
    case when products.product > 0 and products.product > products.n then
        (products.runs - products.product / products.n - 1)
        / sqrt(
            products.product * (products.product - products.n)
            / (products.n * products.n * (products.n - 1))
        )
    end as runs_z
from products
left join correlations on true
