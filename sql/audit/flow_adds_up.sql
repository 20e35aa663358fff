-- audit.flow_adds_up: minutes, parts and spans of the customers' flow that are missing, have a value
-- without bounds around it or neither a value nor a reason, or where calls and puts together have
-- other contracts, delta or gamma than all.
-- grain: minute_et, part, span
-- reads: book.minute_flows, ledger.flow, tape.minutes
with

minutes as (from tape.minutes),

series as (from flow_series('minutes')),

sums as (
    select
        minute_et,
        span,
        sum(contracts) filter (part in ('calls', 'puts')) as part_contracts,
        sum(contracts) filter (part = 'all') as contracts,
        exact_units(case when part in ('calls', 'puts') then delta_musd end) as part_delta,
        exact_units(case when part = 'all' then delta_musd end) as delta,
        exact_units(case when part in ('calls', 'puts') then gamma_musd end) as part_gamma,
        exact_units(case when part = 'all' then gamma_musd end) as gamma
    from book.minute_flows
    group by minute_et, span
)

select series.minute_et, series.part, series.span
from series
left join ledger.flow as flow using (minute_et, part, span)
where flow.minute_et is null
    or (flow.delta_musd is null) <> (flow.delta_reason is not null)
    or (flow.gamma_musd_per_point is null) <> (flow.gamma_reason is not null)
    or flow.delta_musd is not null
    and not coalesce(flow.delta_musd between flow.delta_lo_musd and flow.delta_hi_musd, false)
    or flow.gamma_musd_per_point is not null
    and not coalesce(
        flow.gamma_musd_per_point
            between flow.gamma_lo_musd_per_point and flow.gamma_hi_musd_per_point,
        false
    )
union all
select minute_et, 'all', span
from sums
where part_contracts <> contracts
    or coalesce(part_delta, 0) <> coalesce(delta, 0)
    or coalesce(part_gamma, 0) <> coalesce(gamma, 0)
