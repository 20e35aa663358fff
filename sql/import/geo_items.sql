-- import.geo_items: records in Tapefold's own columns, from CSV.
-- grain: line_number
-- reads: import.geo_codes, import.geo_countries, import.geo_releases, import.geo_sources, import.rows
with

countries as (select distinct country from import.geo_countries),

stated as (
    select
        *,
        case when regexp_full_match(date, '\d{4}-\d{2}-\d{2}') then try_cast(date as date)
        end as record_date,
        case when goldstein is not null and try_cast(goldstein as decimal(9, 4)) is null
            then format('goldstein is {}, not a number', left(goldstein, 40))
        end as goldstein_fault,
        case when url is not null and web_address(url) is null
            then format('url is {}, not an address such as https://www.bls.gov', left(url, 40))
        end as url_fault
    from import.rows
)

select
    stated.line_number,
    stated.row_reason,
    coalesce(
        whole_fault('events', stated.events),
        whole_fault('mentions', stated.mentions),
        stated.goldstein_fault,
        stated.url_fault
    ) as cell_reason,
    null::varchar as skip_reason,
    case
        when stated.country is not null and countries.country is null
            then 'country ' || left(stated.country, 10)
        when stated.kind = 'event' and stated.code is not null and root.code is null
            then 'event root ' || left(stated.code, 10)
        when stated.source is not null and source.source is null
            then 'source ' || left(stated.source, 40)
    end as unknown_code,
    coalesce(
        stated.record, concat_ws(' ', stated.date, stated.country, stated.code, stated.known_at)
    ) as record,
    stated.kind,
    stated.record_date,
    stated.country,
    stated.code,
    coalesce(
        stated.label, case when stated.kind = 'release' then release.label else root.label end
    ) as label,
    case when stated.kind = 'event' then coalesce(whole_number(stated.events), 1)
    end as events,
    case when stated.kind = 'event' then whole_number(stated.mentions) end as mentions,
    case when stated.kind = 'event' then try_cast(stated.goldstein as decimal(9, 4))
    end as goldstein,
    web_address(stated.url) as url,
    stated.source,
    utc_instant(stated.known_at) as known_at
from stated
left join countries on countries.country = stated.country
left join import.geo_codes as root on root.code = stated.code
left join import.geo_releases as release on release.release = stated.code
left join import.geo_sources as source on source.source = stated.source
