-- lab.quotes: the quotes of one expiry of a session, by state.
-- grain: state, strike
-- reads: the files of option_minutes
-- param: dte, files, first_minute
select
    minute_number(minute_et) - $first_minute as state,
    strike,
    or_nan(call_bid) as call_bid,
    or_nan(call_ask) as call_ask,
    or_nan(call_age_s) as call_age,
    or_nan(put_bid) as put_bid,
    or_nan(put_ask) as put_ask,
    or_nan(put_age_s) as put_age
from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
where dte = $dte
