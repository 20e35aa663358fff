-- book.minute_flows: delta and gamma that customers bought, of the orders that count at each minute.
-- grain: minute_at, part, span
-- reads: book.flow_changes, tape.minutes
with

minutes as (from tape.minutes),

series as (from flow_series('minutes')),

totals as (
    select
        part,
        span,
        counts_from,
        sum(order_count) over in_time as order_count,
        sum(contracts) over in_time as contracts,
        sum(delta_contracts) over in_time as delta_contracts,
        sum(gamma_contracts) over in_time as gamma_contracts,
        sum((delta_musd * 1e10)::bigint) over in_time::double / 1e10 as delta_musd,
        sum(square_units(delta_variance)) over in_time::double / 1e6 as delta_variance,
        sum((gamma_musd * 1e10)::bigint) over in_time::double / 1e10 as gamma_musd,
        sum((gamma_variance * 1e10)::bigint) over in_time::double / 1e10 as gamma_variance
    from book.flow_changes
    window in_time as (partition by part, span order by counts_from)
)

select
    series.minute_at,
    series.minute_et,
    series.part,
    series.span,
    coalesce(totals.order_count, 0)::bigint as order_count,
    coalesce(totals.contracts, 0)::bigint as contracts,
    coalesce(totals.delta_contracts, 0)::bigint as delta_contracts,
    coalesce(totals.gamma_contracts, 0)::bigint as gamma_contracts,
    totals.delta_musd,
    totals.delta_variance,
    totals.gamma_musd,
    totals.gamma_variance
from series
asof left join totals
    on totals.part = series.part
    and totals.span = series.span
    and totals.counts_from <= series.minute_at
