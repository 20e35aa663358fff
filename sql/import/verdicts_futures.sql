-- import.verdicts_futures: verdicts on rows whose key is already on the tape, or further up in the
-- file: 'known' when all else is equal but who knew it when, else 'conflict'. The first one
-- imported stands.
-- grain: row_id
-- reads: import.existing, import.judged
with

valid_rows as (
    select rowid as row_id, *
    from import.judged
    where reason is null and skip_reason is null
),

repeated as (
    select session_date, contract, priced_at, min(row_id) as first_row_id
    from valid_rows
    group by session_date, contract, priced_at
    having count(*) > 1
),

firsts as (select valid_rows.* from valid_rows semi join repeated on row_id = first_row_id)

select
    valid_rows.row_id,
    case
        when existing.session_date is not null then case
            when valid_rows.price is not distinct from existing.price
                and valid_rows.volume is not distinct from existing.volume
                then 'known'
            else 'conflict'
        end
        else case
            when valid_rows.price is not distinct from firsts.price
                and valid_rows.volume is not distinct from firsts.volume
                then 'known'
            else 'conflict'
        end
    end as verdict
from valid_rows
left join import.existing as existing
    on valid_rows.session_date = existing.session_date
    and valid_rows.contract = existing.contract
    and valid_rows.priced_at = existing.priced_at
left join firsts
    on valid_rows.session_date = firsts.session_date
    and valid_rows.contract = firsts.contract
    and valid_rows.priced_at = firsts.priced_at
where existing.session_date is not null or firsts.row_id < valid_rows.row_id
