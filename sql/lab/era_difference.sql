-- lab.era_difference: distance of the mean r of a leg's own trades from that of its core, of which
-- they are a part, with an error clustered by session. Null where the rule has no trade; t is null
-- too where it traded on fewer than two sessions, or where nothing differs. Reads the table of
-- trades of a run.
-- grain: one row
-- reads: lab.trades
-- param: first_day, last_day, rule_leg
with

ended as (
    select session_date, r, in_rule
    from lab.trades
    where rule_leg = $rule_leg::integer
        and session_date between $first_day and $last_day
        and r is not null
),

means as (
    select
        avg(r) as core_mean,
        avg(r) filter (where in_rule) as rule_mean,
        count(*) as core_n,
        count(*) filter (where in_rule) as rule_n,
        count(distinct session_date) filter (where in_rule) as rule_days
    from ended
),

influences as (
    select
        ended.session_date,
        case when ended.in_rule then (ended.r - means.rule_mean) / means.rule_n else 0 end
        - (ended.r - means.core_mean) / means.core_n as influence
    from ended
    cross join means
),

days as (
    select session_date, sum(influence) as influence
    from influences
    group by session_date
),

variances as (
    select
        count(*) as days,
        sum(influence * influence) * count(*) / nullif(count(*) - 1, 0) as variance
    from days
)

select
    means.rule_mean - means.core_mean as net_rr,
    case when means.rule_days > 1 and variances.variance > 1e-24::double then
        (means.rule_mean - means.core_mean) / sqrt(variances.variance)
    end as net_rr_t,
    case when means.rule_days > 1 then (variances.days - 1)::integer end as dof
from means
cross join variances
