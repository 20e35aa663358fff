-- lab.smile_points: the points of the smiles of one expiry of a session, by state.
-- grain: state, strike
-- reads: the files of smiles
-- param: dte, files, first_minute
with

points as (
    select
        minute_number(minute_et) - $first_minute as state,
        unnest(strikes) as strike,
        unnest(total_variances) as total_variance
    from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
    where dte = $dte
)

select state, strike, total_variance
from points
order by state, strike
