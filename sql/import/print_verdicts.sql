-- import.print_verdicts: prints of a file that the tape has already, or that contradict it. New
-- prints have no row. A print is known by (exchange, vendor sequence, contract); a cancel is a
-- message of its own. Without a vendor sequence it is the k-th of its contract, time, price, size
-- and condition, so that two equal prints of one file stay two and a second import adds none.
-- grain: row_id
-- reads: import.conditions, import.existing, import.judged
with

everything as (
    select
        -1 - rowid as row_id,
        false as is_new,
        session_date, exchange, vendor_sequence, root, expiry, strike, option_type,
        printed_at, size, price, condition
    from import.existing
    union all
    select
        rowid as row_id,
        true as is_new,
        session_date, exchange, vendor_sequence, root, expiry, strike, option_type,
        printed_at, size, price, condition
    from import.judged
    where reason is null and skip_reason is null and unknown_condition is null
),

counted as (
    select
        *,
        vendor_sequence is null as is_derived,
        coalesce(conditions.is_cancel = 'true', false) as is_cancel,
        {'at': printed_at, 'size': size, 'price': price, 'condition': condition} as content,
        case when is_derived then row_number() over (
            partition by
                is_new, is_derived, session_date, exchange, root, expiry, strike, option_type,
                printed_at, size, price, condition
            order by row_id
        ) else 0 end as occurrence
    from everything
    left join import.conditions as conditions on conditions.letter = everything.condition
),

compared as (
    select
        row_id,
        is_new,
        content,
        first_value(row_id) over same_key as first_row_id,
        first_value(content) over same_key as first_content
    from counted
    window same_key as (
        partition by
            session_date, exchange, root, expiry, strike, option_type, is_cancel,
            vendor_sequence, occurrence, case when is_derived then content end
        order by row_id
    )
)

select
    row_id,
    case when content is not distinct from first_content then 'known' else 'conflict' end as verdict
from compared
where is_new and first_row_id <> row_id
