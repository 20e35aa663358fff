-- measure.implied_vol_errors: implied volatilities of reference prices, compared with those
-- computed with 60 digits; a price without a volatility must be refused for the reason given.
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
            cases: 'struct(F double, K double, seconds integer, price double, DF double, cp varchar,
                sigma double, refused varchar)[]'
        }
    )
),

quotes as (
    select
        price,
        F as forward,
        K as strike,
        DF as discount,
        years_of_seconds(seconds) as years,
        cp as option_type,
        sigma,
        refused
    from cases
),

compared as (
    select
        *,
        abs(implied_vol / sigma - 1) as error,
        refusal is distinct from refused or (sigma is null) <> (implied_vol is null) as is_other
    from black76_implied(quotes)
)

select
    count(*) as case_count,
    count(*) filter (where refused is not null) as refused_count,
    count(*) filter (where is_other) as wrong_count,
    max(error) as worst_error
from compared
