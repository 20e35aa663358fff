-- The parts of the customers' flow that a leg belongs to.
create or replace macro flow_parts(option_type, is_0dte) as
    ['all', case option_type when 'C' then 'calls' else 'puts' end]
    || case when is_0dte then ['0dte'] else [] end;

-- The class of orders that share the errors of their sides.
create or replace macro flow_class(option_type, is_0dte) as
    option_type || case when is_0dte then ' 0dte' else '' end;

-- Probability that the customer bought an order: without one of its own, that of its kind.
create or replace macro bought_share(side_probability, sign) as
    coalesce(
        side_probability,
        case
            when sign > 0 then right_side_share()
            when sign < 0 then 1 - right_side_share()
            else 0.5
        end
    )::double;

-- Flow of orders, each with the instant `usable_at` from which it counts with its `weight`, summed
-- over those that count from the same state on. `parts` are the parts that it belongs to, separated
-- by spaces. Of a day each order counts to the end; of five minutes, in the states that follow the
-- first of its prints by at most that long.
create or replace macro flow_changes(orders_table) as table
with

-- the orders of the same parts and minutes before all else: their sums are whole numbers
known as (
    select
        parts,
        flow_class,
        date_trunc('minute', usable_at) + interval 1 minute as known_by,
        date_trunc('minute', printed_at) + interval 6 minute as old_by,
        sum(weight) as order_count,
        sum(weight * contracts) as contracts,
        sum(weight * delta_contracts) as delta_contracts,
        sum(weight * gamma_contracts) as gamma_contracts,
        exact_units(weight * delta_musd) as delta_units,
        sum(square_units(weight * delta_variance)) as delta_variance_units,
        exact_units(weight * gamma_musd) as gamma_units,
        exact_units(weight * gamma_variance) as gamma_variance_units,
        sum(square_units(weight * delta_balance)) as delta_balance_units,
        exact_units(weight * delta_rate) as delta_rate_units,
        sum(square_units(weight * gamma_balance)) as gamma_balance_units,
        exact_units(weight * gamma_rate) as gamma_rate_units
    from query_table(orders_table)
    group by all
),

changes as (
    select *, 1 as turn, 'day' as span, known_by as counts_from from known
    union all
    select *, 1, '5m', known_by from known where known_by < old_by
    union all
    select *, -1, '5m', old_by from known where known_by < old_by
),

parted as (select *, unnest(string_split(parts, ' ')) as part from changes)

select
    part,
    span,
    flow_class,
    counts_from,
    sum(turn * order_count)::bigint as order_count,
    sum(turn * contracts)::bigint as contracts,
    sum(turn * delta_contracts)::bigint as delta_contracts,
    sum(turn * gamma_contracts)::bigint as gamma_contracts,
    sum(turn * delta_units)::double / 1e10 as delta_musd,
    sum(turn * delta_variance_units)::double / 1e6 as delta_variance,
    sum(turn * gamma_units)::double / 1e10 as gamma_musd,
    sum(turn * gamma_variance_units)::double / 1e10 as gamma_variance,
    sum(turn * delta_balance_units)::double / 1e6 as delta_balance,
    sum(turn * delta_rate_units)::double / 1e10 as delta_rate,
    sum(turn * gamma_balance_units)::double / 1e6 as gamma_balance,
    sum(turn * gamma_rate_units)::double / 1e10 as gamma_rate
from parted
group by part, span, flow_class, counts_from;

-- Least share of the contracts that must be priced for a flow to be stated.
create or replace macro flow_share_least() as 0.9::double;

-- Every minute of `minutes_table` with each part and span of the flow.
create or replace macro flow_series(minutes_table) as table
select minutes.minute_et, minutes.minute_at, parts.part, spans.span
from query_table(minutes_table) as minutes
cross join (select unnest(['all', '0dte', 'calls', 'puts']) as part) as parts
cross join (select unnest(['day', '5m']) as span) as spans;
