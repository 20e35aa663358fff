-- measure.gamma_errors: gammas of reference options, compared with those computed with 60 digits.
-- grain: one row
-- reads: the files of test vectors
-- param: file
with

cases as (
    select unnest(cases, recursive := true)
    from read_json(
        $file,
        hive_partitioning = false,
        columns = {
            cases: 'struct(S double, F double, K double, seconds integer, sigma double, DF double,
                gamma_S double)[]'
        }
    )
),

compared as (
    select
        abs(black76_gamma(S, F, K, DF, sigma, years_of_seconds(seconds)) / gamma_S - 1) as error
    from cases
    where gamma_S is not null
)

select
    count(*) as case_count,
    count(*) filter (where error is null) as wrong_count,
    max(error) as worst_error
from compared
