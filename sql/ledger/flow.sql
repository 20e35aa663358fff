-- ledger.flow: delta and gamma that customers bought, of the day so far and of five minutes, with a 90 %
-- interval of each; null with a reason where no order is known, or too few contracts are priced.
-- grain: minute_et, part, span
-- reads: book.minute_flows, tape.session
with

judged as (
    select
        *,
        delta_contracts / nullif(contracts, 0) as delta_share,
        gamma_contracts / nullif(contracts, 0) as gamma_share,
        case
            when order_count = 0 then 'no_orders'
            when delta_share < flow_share_least() then 'unpriced'
        end as delta_reason,
        case
            when order_count = 0 then 'no_orders'
            when gamma_share < flow_share_least() then 'unpriced'
        end as gamma_reason
    from book.minute_flows
),

estimated as (
    select
        *,
        case when delta_reason is null then delta_musd end as delta,
        bar_half_width() * sqrt(delta_variance) as delta_width,
        case when gamma_reason is null then gamma_musd end as gamma,
        bar_half_width() * sqrt(gamma_variance) as gamma_width
    from judged
)

select
    session.session_date,
    estimated.minute_et,
    estimated.part,
    estimated.span,
    estimated.order_count::integer as order_count,
    estimated.contracts,
    estimated.delta as delta_musd,
    estimated.delta - estimated.delta_width as delta_lo_musd,
    estimated.delta + estimated.delta_width as delta_hi_musd,
    estimated.delta_share,
    estimated.delta_reason,
    estimated.gamma as gamma_musd_per_point,
    estimated.gamma - estimated.gamma_width as gamma_lo_musd_per_point,
    estimated.gamma + estimated.gamma_width as gamma_hi_musd_per_point,
    estimated.gamma_share,
    estimated.gamma_reason
from estimated
cross join tape.session as session
order by estimated.minute_et, estimated.part, estimated.span
