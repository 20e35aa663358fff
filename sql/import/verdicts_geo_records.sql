-- import.verdicts_geo_records: what becomes of records that were imported already, or stand further
-- up in the file: 'known' when all is equal but where it was reported and what it is called, else
-- 'conflict'. The first one imported stands.
-- grain: row_id
-- reads: import.existing, import.judged
with

sound as (
    select
        rowid as row_id,
        source,
        record,
        (kind, record_date, country, code, events, mentions, goldstein, known_at)::varchar as told
    from import.judged
    where reason is null and skip_reason is null and unknown_condition is null
),

firsts as (
    select source, record, min(row_id) as row_id, arg_min(told, row_id) as told
    from sound
    group by source, record
    having count(*) > 1
),

existing as (
    select
        source,
        record,
        (kind, record_date, country, code, events, mentions, goldstein, known_at)::varchar as told
    from import.existing
)

select
    sound.row_id,
    case when sound.told = coalesce(existing.told, firsts.told) then 'known' else 'conflict'
    end as verdict
from sound
left join existing on existing.source = sound.source and existing.record = sound.record
left join firsts on firsts.source = sound.source and firsts.record = sound.record
where existing.source is not null or firsts.row_id < sound.row_id
