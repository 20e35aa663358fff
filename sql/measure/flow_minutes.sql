-- measure.flow_minutes: the customers' flow of each minute of one session as published, and in truth.
-- grain: seed, minute_et, part, span
-- reads: book.minute_flows, measure.published_flow
-- param: seed
select
    $seed::integer as seed,
    published.minute_et,
    published.part,
    published.span,
    published.delta_musd,
    published.delta_lo_musd,
    published.delta_hi_musd,
    published.gamma_musd_per_point,
    published.gamma_lo_musd_per_point,
    published.gamma_hi_musd_per_point,
    coalesce(truth.delta_musd, 0) as true_delta,
    coalesce(truth.gamma_musd, 0) as true_gamma
from measure.published_flow as published
inner join book.minute_flows as truth using (minute_et, part, span)
