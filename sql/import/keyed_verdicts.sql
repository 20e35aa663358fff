-- import.keyed_verdicts: verdicts on rows whose key is stored already, or stands further up in the
-- file: 'known' when the values are equal, else 'conflict'. The first one imported stands. Keys and
-- values are lists of column names; nulls are equal.
-- grain: row_id
-- reads: import.existing, import.judged
-- param: keys, values
with

valid_rows as not materialized (
    select rowid as row_id, *
    from import.judged
    where reason is null and skip_reason is null and unknown_condition is null
),

repeated as (
    select columns(name -> list_contains($keys::varchar[], name)), min(row_id) as first_row_id
    from valid_rows
    group by all
    having count(*) > 1
),

keyed_rows as not materialized (
    select
        row_id,
        struct_pack(*columns(name -> list_contains($keys::varchar[], name))) as key,
        struct_pack(*columns(name -> list_contains($values::varchar[], name))) as content
    from valid_rows
),

stored_rows as not materialized (
    select
        struct_pack(*columns(name -> list_contains($keys::varchar[], name))) as key,
        struct_pack(*columns(name -> list_contains($values::varchar[], name))) as content
    from import.existing
),

first_rows as (
    select -1 as row_id, key, content
    from stored_rows
    union all
    select keyed_rows.*
    from keyed_rows
    semi join repeated on keyed_rows.row_id = repeated.first_row_id
    anti join stored_rows on keyed_rows.key = stored_rows.key
)

select
    keyed_rows.row_id,
    case
        when keyed_rows.content is not distinct from first_rows.content then 'known'
        else 'conflict'
    end as verdict
from keyed_rows
inner join first_rows
    on first_rows.key = keyed_rows.key and first_rows.row_id < keyed_rows.row_id
