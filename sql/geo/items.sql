-- geo.items: the records of a week added up by day, country, kind of event and source, as all of it
-- was known at an instant. `known_ms` is when the first record of an item became known,
-- `updated_ms` when the last one did. The mean on Goldstein's scale counts each event alike.
-- grain: kind, record_date, country, code, source
-- reads: geo.records
-- param: at_ms
with

known as (select * from geo.records where epoch_ms(known_at) <= $at_ms::bigint)

select
    kind,
    record_date::varchar as date,
    country,
    code,
    source,
    first(label order by known_at, record) as label,
    sum(events)::bigint as events,
    sum(mentions)::bigint as mentions,
    (
        sum(goldstein * events) filter (goldstein is not null)
        / sum(events) filter (goldstein is not null)
    )::double as goldstein,
    first(url order by mentions desc nulls last, known_at, record) filter (url is not null) as url,
    epoch_ms(min(known_at)) as known_ms,
    epoch_ms(max(known_at)) as updated_ms
from known
group by kind, record_date, country, code, source
order by kind, record_date, country, code, source
