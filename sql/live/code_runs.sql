-- live.code_runs: run lengths of prints whose codes named no leg, by exchange, including the new
-- prints.
-- grain: exchange
-- reads: live.arrivals, live.code_runs
with

prints as (
    select sequence, exchange, condition, printed_at, known_at from live.arrivals
),

runs as (
    from live.code_runs
),

counted as (
    select
        exchange,
        case when is_multi_leg then 0 else run_length + 1 end as run_length,
        has_leg or is_multi_leg as has_leg
    from code_runs('prints', 'runs')
    qualify row_number() over (partition by exchange order by ordinal desc) = 1
)

from counted
union all
select runs.*
from runs
anti join counted using (exchange)
