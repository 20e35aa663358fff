-- import.verdicts_dealer_positions: verdicts on rows whose key is already on the tape, or further
-- up in the file: 'known' when all else is equal but who knew it when, else 'conflict'. The first
-- one imported stands.
-- grain: row_id
-- reads: import.existing, import.judged
with

valid_rows as (
    select rowid as row_id, *
    from import.judged
    where reason is null and skip_reason is null
),

repeated as (
    select session_date, root, expiry, strike, option_type, min(row_id) as first_row_id
    from valid_rows
    group by session_date, root, expiry, strike, option_type
    having count(*) > 1
),

firsts as (select valid_rows.* from valid_rows semi join repeated on row_id = first_row_id)

select
    valid_rows.row_id,
    case
        when existing.session_date is not null then case
            when valid_rows.quantity is not distinct from existing.quantity then 'known'
            else 'conflict'
        end
        else case
            when valid_rows.quantity is not distinct from firsts.quantity then 'known'
            else 'conflict'
        end
    end as verdict
from valid_rows
left join import.existing as existing
    on valid_rows.session_date = existing.session_date
    and valid_rows.root = existing.root
    and valid_rows.expiry = existing.expiry
    and valid_rows.strike = existing.strike
    and valid_rows.option_type = existing.option_type
left join firsts
    on valid_rows.session_date = firsts.session_date
    and valid_rows.root = firsts.root
    and valid_rows.expiry = firsts.expiry
    and valid_rows.strike = firsts.strike
    and valid_rows.option_type = firsts.option_type
where existing.session_date is not null or firsts.row_id < valid_rows.row_id
