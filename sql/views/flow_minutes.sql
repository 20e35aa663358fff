-- views.flow_minutes: what customers bought, a row a part, span and minute, minutes rising.
-- grain: part, span, minute_et
-- reads: levels.flow
select
    part,
    span,
    minute_et,
    order_count,
    contracts::double as contracts,
    delta_musd,
    delta_lo_musd,
    delta_hi_musd,
    delta_reason,
    gamma_musd_per_point,
    gamma_lo_musd_per_point,
    gamma_hi_musd_per_point,
    gamma_reason
from levels.flow
order by part, span, minute_et
