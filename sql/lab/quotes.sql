-- lab.quotes: the quotes of one expiry of a session, by state.
-- grain: state, strike
-- reads: the files of option_minutes
-- param: dte, files, first_minute
select
    minute_number(minute_et) - $first_minute as state,
    strike,
    call_bid,
    call_ask,
    call_age_s as call_age,
    put_bid,
    put_ask,
    put_age_s as put_age
from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
where dte = $dte
order by minute_et, strike
