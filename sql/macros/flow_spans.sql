-- The parts of the customers' flow that a leg belongs to.
create or replace macro flow_parts(option_type, is_0dte) as
    ['all', case option_type when 'C' then 'calls' else 'puts' end]
    || case when is_0dte then ['0dte'] else [] end;

-- Flow of orders, each with the instant `usable_at` from which it counts with its `weight`, summed
-- over those that count from the same state on. Of a day each order counts to the end; of five
-- minutes, in the states that follow the first of its prints by at most that long.
create or replace macro flow_changes(orders_table) as table
with

known as (
    select *, date_trunc('minute', usable_at) + interval 1 minute as known_by
    from query_table(orders_table)
),

changes as (
    select *, 'day' as span, known_by as counts_from from known
    union all
    select *, '5m', known_by
    from known
    where known_by < date_trunc('minute', printed_at) + interval 6 minute
    union all
    select
        * replace (-weight as weight),
        '5m',
        date_trunc('minute', printed_at) + interval 6 minute
    from known
    where known_by < date_trunc('minute', printed_at) + interval 6 minute
)

select
    part,
    span,
    counts_from,
    sum(weight)::bigint as order_count,
    sum(weight * contracts)::bigint as contracts,
    sum(weight * delta_contracts)::bigint as delta_contracts,
    sum(weight * gamma_contracts)::bigint as gamma_contracts,
    exact_sum(weight * delta_musd) as delta_musd,
    exact_square_sum(weight * delta_variance) as delta_variance,
    exact_sum(weight * gamma_musd) as gamma_musd,
    exact_sum(weight * gamma_variance) as gamma_variance
from changes
group by part, span, counts_from;

-- Least share of the contracts that must be priced for a flow to be stated.
create or replace macro flow_share_least() as 0.9::double;

-- Every minute of `minutes_table` with each part and span of the flow.
create or replace macro flow_series(minutes_table) as table
select minutes.minute_et, minutes.minute_at, parts.part, spans.span
from query_table(minutes_table) as minutes
cross join (select unnest(['all', '0dte', 'calls', 'puts']) as part) as parts
cross join (select unnest(['day', '5m']) as span) as spans;
