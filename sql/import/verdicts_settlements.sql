-- import.verdicts_settlements: what becomes of rows whose key the tape has already, or the file
-- further up: 'known' when all else is equal but who knew it when, else 'conflict'. The first one
-- imported stands.
-- grain: row_id
-- reads: import.existing, import.judged
with

sound as (
    select rowid as row_id, *
    from import.judged
    where reason is null and skip_reason is null
),

repeated as (
    select session_date, symbol, min(row_id) as first_row_id
    from sound
    group by session_date, symbol
    having count(*) > 1
),

firsts as (select sound.* from sound semi join repeated on row_id = first_row_id)

select
    sound.row_id,
    case
        when existing.session_date is not null then case
            when sound.settlement is not distinct from existing.settlement then 'known'
            else 'conflict'
        end
        else case
            when sound.settlement is not distinct from firsts.settlement then 'known'
            else 'conflict'
        end
    end as verdict
from sound
left join import.existing as existing
    on sound.session_date = existing.session_date
    and sound.symbol is not distinct from existing.symbol
left join firsts
    on sound.session_date = firsts.session_date
    and sound.symbol is not distinct from firsts.symbol
where existing.session_date is not null or firsts.row_id < sound.row_id
