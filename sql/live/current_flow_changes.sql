-- live.current_flow_changes: the changes of the customers' flow, of all orders known so far.
-- grain: any
-- kind: view
-- reads: live.flow_changes, live.new_flow_changes
with

changes as (
    select * from live.flow_changes
    union all
    select * from live.new_flow_changes
)

select
    part,
    span,
    flow_class,
    counts_from,
    sum(order_count)::bigint as order_count,
    sum(contracts)::bigint as contracts,
    sum(delta_contracts)::bigint as delta_contracts,
    sum(gamma_contracts)::bigint as gamma_contracts,
    exact_sum(delta_musd) as delta_musd,
    exact_square_sum(delta_variance) as delta_variance,
    exact_sum(gamma_musd) as gamma_musd,
    exact_sum(gamma_variance) as gamma_variance,
    exact_sum(delta_balance) as delta_balance,
    exact_sum(delta_rate) as delta_rate,
    exact_sum(gamma_balance) as gamma_balance,
    exact_sum(gamma_rate) as gamma_rate
from changes
group by part, span, flow_class, counts_from
