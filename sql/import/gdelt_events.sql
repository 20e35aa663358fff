-- import.gdelt_events: events of GDELT 2.0, 61 cells with tabs between, in the columns of records.
-- Only reports of conflict (quad classes 3 and 4) with ten mentions or more are stored.
-- grain: line_number
-- reads: import.geo_codes, import.geo_countries, the files of a vendor
-- param: path
with

split as (
    select line_number, string_split(line, chr(9)) as cells
    from text_lines($path)
    where trim(line) <> ''
),

named as (
    select
        line_number,
        case when len(cells) <> 61
            then format('has {} columns, an event of GDELT 2.0 has 61', len(cells))
        end as row_reason,
        nullif(cells[1], '') as record,
        cells[2] as day_text,
        cells[29] as code,
        cells[30] as quad_class,
        nullif(cells[31], '') as goldstein_text,
        cells[32] as mentions_text,
        nullif(trim(cells[54]), '') as fips,
        cells[60] as added_text,
        cells[61] as url
    from split
)

select
    named.line_number,
    named.row_reason,
    case
        when coalesce(named.quad_class not in ('1', '2', '3', '4'), true) then format(
            'quad class is {}, not 1 to 4', coalesce(left(named.quad_class, 40), 'missing')
        )
        when whole_number(named.mentions_text) is null then format(
            'mentions is {}, not a whole number', coalesce(left(named.mentions_text, 40), 'missing')
        )
        when named.goldstein_text is not null
            and try_cast(named.goldstein_text as decimal(9, 4)) is null
            then format('goldstein is {}, not a number', left(named.goldstein_text, 40))
    end as cell_reason,
    case
        when named.row_reason is not null then null
        when named.quad_class in ('1', '2') then 'cooperation'
        when whole_number(named.mentions_text) < 10 then 'few mentions'
        when named.fips is null then 'no country'
    end as skip_reason,
    case
        when named.fips is not null and country.country is null
            then 'country ' || left(named.fips, 10)
        when root.label is null then 'event root ' || left(coalesce(named.code, ''), 10)
    end as unknown_code,
    named.record,
    'event' as kind,
    try_strptime(named.day_text, '%Y%m%d')::date as record_date,
    country.country,
    named.code,
    root.label,
    1::bigint as events,
    whole_number(named.mentions_text) as mentions,
    try_cast(named.goldstein_text as decimal(9, 4)) as goldstein,
    web_address(named.url) as url,
    'gdelt' as source,
    try_strptime(named.added_text, '%Y%m%d%H%M%S') as known_at
from named
left join import.geo_countries as country on country.fips = named.fips
left join import.geo_codes as root on root.code = named.code
