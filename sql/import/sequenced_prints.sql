-- import.sequenced_prints: the new prints with a number that is unique in their session. It is the
-- vendor's own where it gives one and no other print has it; else it is made of the microseconds
-- since 20:15 ET of the evening before, times 100,000, and the rank within that microsecond.
-- grain: row_id
-- reads: import.days, import.existing, import.judged, import.verdicts
with

fresh as (
    select judged.rowid as row_id, judged.*
    from import.judged as judged
    anti join import.verdicts as verdicts on verdicts.row_id = judged.rowid
    where reason is null and skip_reason is null and unknown_condition is null
),

claims as (
    select
        fresh.*,
        row_number() over (
            partition by fresh.session_date, vendor_sequence
            order by printed_at, root, expiry, strike, option_type, row_id
        ) = 1
        and used_sequences.sequence is null
        -- a larger number would not survive JSON
        and abs(vendor_sequence) < 9007199254740992 as has_own_sequence
    from fresh
    left join (select distinct session_date, sequence from import.existing) as used_sequences
        on used_sequences.session_date = fresh.session_date
        and used_sequences.sequence = vendor_sequence
),

based as (
    select
        claims.*,
        tape_instant(printed_at, days.starts_at) * 100000 as first_of_instant,
        coalesce(has_own_sequence, false) as is_own
    from claims
    inner join import.days as days on days.day = claims.session_date
),

used_instants as (
    select session_date, sequence_instant(sequence) as instant, max(sequence) + 1 as next_free
    from import.existing
    group by session_date, instant
)

select
    based.* exclude (first_of_instant, has_own_sequence, is_own, reason, skip_reason),
    case
        when is_own then vendor_sequence
        else coalesce(used_instants.next_free, first_of_instant) - 1 + row_number() over (
            partition by based.session_date, is_own, printed_at order by row_id
        )
    end as sequence
from based
left join used_instants
    on used_instants.session_date = based.session_date
    and used_instants.instant = sequence_instant(first_of_instant)
    and not is_own
