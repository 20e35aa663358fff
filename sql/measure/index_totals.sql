-- measure.index_totals: how far an index by put-call parity is off over all minutes of a tape, and
-- in what share of them it lies within one stated deviation and within its 90 % interval.
-- grain: tape
-- reads: measure.index_errors
select
    tape,
    count(*)::integer as minute_count,
    count(error)::integer as derived_count,
    quantile_cont(error, 0.5) as median_error,
    quantile_cont(error, 0.99) as high_error,
    quantile_cont(spot_error, 0.5) as median_stated,
    avg((error <= spot_error)::integer) as deviation_share,
    avg((error <= bar_half_width() * spot_error)::integer) as covered_share
from measure.index_errors
group by tape
