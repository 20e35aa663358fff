-- import.judged_geo_records: every record with its week, and why it may not be used. The week
-- stands in the column of sessions, as its Monday.
-- grain: line_number
-- reads: import.candidates
select
    line_number,
    skip_reason,
    coalesce(row_reason, cell_reason, case
        when coalesce(length(record) > 200, true) then 'record is missing or over 200 characters'
        when kind is null then 'kind is missing'
        when kind not in ('event', 'release')
            then format('kind is {}, not event or release', left(kind, 40))
        when record_date is null then 'the date is missing, or not a day such as 2026-10-14'
        when record_date < date '1979-01-01' or record_date > date '2100-12-31'
            then 'the date is not between 1979 and 2100'
        when country is null and unknown_code is null then 'country is missing'
        when code is null then 'code is missing'
        when length(code) > 40 then 'code is over 40 characters'
        when length(label) > 100 then 'label is over 100 characters'
        when label is null and unknown_code is null then 'label is missing'
        when source is null then 'source is missing'
        when time_fault('known_at', known_at) is not null then time_fault('known_at', known_at)
        -- it may be tomorrow already where it was reported
        when record_date > known_at::date + 1 then 'the date is after known_at'
        when events < 1 or events > 1000000000 then 'events is not between 1 and a billion'
        when mentions < 0 or mentions > 1000000000 then 'mentions is not between 0 and a billion'
        when abs(goldstein) > 10 then 'goldstein is not between -10 and 10'
    end) as reason,
    unknown_code as unknown_condition,
    date_trunc('week', record_date)::date as session_date,
    record,
    kind,
    record_date,
    country,
    code,
    label,
    events,
    mentions,
    goldstein,
    url,
    source,
    known_at
from import.candidates
order by line_number
