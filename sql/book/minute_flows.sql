-- book.minute_flows: delta and gamma that customers bought, of the orders that count at each minute.
-- How many customers of a class buy moves them; the variance is that of each order for itself, and of
-- what the orders of a class share: that sum is squared whole.
-- grain: minute_at, part, span
-- reads: book.balances, book.flow_changes, tape.minutes
with

minutes as (from tape.minutes),

series as (
    select *, unnest(['C', 'P', 'C 0dte', 'P 0dte']) as flow_class from flow_series('minutes')
),

totals as (
    select
        part,
        span,
        flow_class,
        counts_from,
        sum(order_count) over in_time as order_count,
        sum(contracts) over in_time as contracts,
        sum(delta_contracts) over in_time as delta_contracts,
        sum(gamma_contracts) over in_time as gamma_contracts,
        sum((delta_musd * 1e10)::bigint) over in_time as delta_units,
        sum(square_units(delta_variance)) over in_time as delta_variance_units,
        sum((gamma_musd * 1e10)::bigint) over in_time as gamma_units,
        sum((gamma_variance * 1e10)::bigint) over in_time as gamma_variance_units,
        sum(square_units(delta_balance)) over in_time as delta_balance_units,
        sum((delta_rate * 1e10)::bigint) over in_time::double / 1e10 as delta_rate,
        sum(square_units(gamma_balance)) over in_time as gamma_balance_units,
        sum((gamma_rate * 1e10)::bigint) over in_time::double / 1e10 as gamma_rate
    from book.flow_changes
    window in_time as (partition by part, span, flow_class order by counts_from)
)

select
    series.minute_at,
    series.minute_et,
    series.part,
    series.span,
    coalesce(sum(totals.order_count), 0)::bigint as order_count,
    coalesce(sum(totals.contracts), 0)::bigint as contracts,
    coalesce(sum(totals.delta_contracts), 0)::bigint as delta_contracts,
    coalesce(sum(totals.gamma_contracts), 0)::bigint as gamma_contracts,
    sum(
        totals.delta_units + (balances.logit * 1e4)::bigint * totals.delta_balance_units
    )::double / 1e10 as delta_musd,
    sum(totals.delta_variance_units)::double / 1e6
    + exact_square_sum(
        balances.variance * square(totals.delta_balance_units::double / 1e6) + square(totals.delta_rate)
    )
        as delta_variance,
    sum(
        totals.gamma_units + (balances.logit * 1e4)::bigint * totals.gamma_balance_units
    )::double / 1e10 as gamma_musd,
    sum(totals.gamma_variance_units)::double / 1e10
    + exact_sum(balances.variance * square(totals.gamma_balance_units::double / 1e6) + square(totals.gamma_rate))
        as gamma_variance
from series
inner join book.balances as balances using (minute_at, flow_class)
asof left join totals
    on totals.part = series.part
    and totals.span = series.span
    and totals.flow_class = series.flow_class
    and totals.counts_from <= series.minute_at
group by series.minute_at, series.minute_et, series.part, series.span
