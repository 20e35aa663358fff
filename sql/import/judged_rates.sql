-- import.judged_rates: every point of a curve with why it may not be used.
-- grain: that of import.candidates
-- reads: import.candidates
-- param: day
select
    * replace (
        coalesce(skip_reason, case when session_date <> $day::date then 'other day' end)
            as skip_reason
    ),
    coalesce(row_reason, case
        when session_date is null then 'session_date is missing or is not a date'
        when session_date not between date '1990-01-01' and date '2100-12-31'
            then 'session_date is not between 1990 and 2100'
        when coalesce(not (tenor_days between 1 and 40000 and tenor_days = floor(tenor_days)), true)
            then 'tenor_days is not a whole number of days'
        when coalesce(not rate between -0.2 and 1, true)
            then 'rate is not a yearly rate such as 0.043'
    end) as reason,
    null::varchar as unknown_condition
from import.candidates
