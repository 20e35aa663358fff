-- import.fred_release_dates: dates of releases as FRED lists them, an entry a line, in the columns
-- of records. FRED gives the day alone: the time of day is that of the table of releases, and the
-- public knows a release from then on.
-- grain: line_number
-- reads: import.geo_releases, import.wall_offsets, the files of a vendor
-- param: path
with

entries as (
    select
        line_number,
        json_extract_string(line, '$.release_id') as release_text,
        json_extract_string(line, '$.date') as day_text
    from text_lines($path)
),

dated as (
    select
        *,
        case when regexp_full_match(day_text, '\d{4}-\d{2}-\d{2}') then try_cast(day_text as date)
        end as record_date
    from entries
)

select
    dated.line_number,
    case
        when whole_number(dated.release_text) is null then format(
            'release_id is {}, not a number such as 10',
            coalesce(left(dated.release_text, 40), 'missing')
        )
    end as row_reason,
    null::varchar as cell_reason,
    case when whole_number(dated.release_text) is not null and release.release is null
        then 'other release'
    end as skip_reason,
    null::varchar as unknown_code,
    dated.release_text || ' ' || dated.day_text as record,
    'release' as kind,
    dated.record_date,
    'US' as country,
    release.release as code,
    release.label,
    null::bigint as events,
    null::bigint as mentions,
    null::decimal(9, 4) as goldstein,
    release.url,
    'fred' as source,
    dated.record_date + release.time_et::time - offsets.wall_offset as known_at
from dated
left join import.geo_releases as release on release.release = dated.release_text
left join import.wall_offsets as offsets on offsets.day = dated.record_date
