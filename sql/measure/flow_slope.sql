-- measure.flow_slope: slope of the true flow on the published one over the contracts of all
-- sessions: 1 where a published contract stands for one of the dealers' on average. Its error is
-- that of the slopes by session.
-- grain: one row
-- reads: measure.contract_flows
with

slopes as (
    select regr_slope(true_quantity, published_quantity) as slope
    from measure.contract_flows
    group by seed
)

select
    count(*) as contract_count,
    regr_slope(true_quantity, published_quantity) as slope,
    (select stddev_samp(slope) / sqrt(count(slope)) from slopes) as slope_error
from measure.contract_flows
