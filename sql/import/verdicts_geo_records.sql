-- import.verdicts_geo_records: verdicts on records that were imported already, or appear further up
-- in the file: 'known' when all is equal but the report's address and title, else 'conflict'. The
-- first one imported stands.
-- grain: row_id
-- reads: import.existing, import.judged
with

valid_rows as (
    select
        rowid as row_id,
        source,
        record,
        (kind, record_date, country, code, events, mentions, goldstein, known_at)::varchar
            as content
    from import.judged
    where reason is null and skip_reason is null and unknown_condition is null
),

firsts as (
    select source, record, min(row_id) as row_id, arg_min(content, row_id) as content
    from valid_rows
    group by source, record
    having count(*) > 1
),

existing as (
    select
        source,
        record,
        (kind, record_date, country, code, events, mentions, goldstein, known_at)::varchar
            as content
    from import.existing
)

select
    valid_rows.row_id,
    case
        when valid_rows.content = coalesce(existing.content, firsts.content) then 'known'
        else 'conflict'
    end as verdict
from valid_rows
left join existing on existing.source = valid_rows.source and existing.record = valid_rows.record
left join firsts on firsts.source = valid_rows.source and firsts.record = valid_rows.record
where existing.source is not null or firsts.row_id < valid_rows.row_id
