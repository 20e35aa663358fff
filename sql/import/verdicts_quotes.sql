-- import.verdicts_quotes: what becomes of rows whose key the tape has already, or the file further
-- up: 'known' when all else is equal but who knew it when, else 'conflict'. The first one imported
-- stands.
-- grain: row_id
-- reads: import.existing, import.judged
with

sound as (
    select rowid as row_id, *
    from import.judged
    where reason is null and skip_reason is null
),

repeated as (
    select session_date, minute_at, root, expiry, strike, option_type, min(row_id) as first_row_id
    from sound
    group by session_date, minute_at, root, expiry, strike, option_type
    having count(*) > 1
),

firsts as (select sound.* from sound semi join repeated on row_id = first_row_id)

select
    sound.row_id,
    case
        when existing.session_date is not null then case
            when sound.best_bid is not distinct from existing.best_bid
                and sound.best_ask is not distinct from existing.best_ask
                and sound.bid_size is not distinct from existing.bid_size
                and sound.ask_size is not distinct from existing.ask_size
                and sound.quoted_at is not distinct from existing.quoted_at
                then 'known'
            else 'conflict'
        end
        else case
            when sound.best_bid is not distinct from firsts.best_bid
                and sound.best_ask is not distinct from firsts.best_ask
                and sound.bid_size is not distinct from firsts.bid_size
                and sound.ask_size is not distinct from firsts.ask_size
                and sound.quoted_at is not distinct from firsts.quoted_at
                then 'known'
            else 'conflict'
        end
    end as verdict
from sound
left join import.existing as existing
    on sound.session_date = existing.session_date
    and sound.minute_at = existing.minute_at
    and sound.root = existing.root
    and sound.expiry = existing.expiry
    and sound.strike = existing.strike
    and sound.option_type = existing.option_type
left join firsts
    on sound.session_date = firsts.session_date
    and sound.minute_at = firsts.minute_at
    and sound.root = firsts.root
    and sound.expiry = firsts.expiry
    and sound.strike = firsts.strike
    and sound.option_type = firsts.option_type
where existing.session_date is not null or firsts.row_id < sound.row_id
