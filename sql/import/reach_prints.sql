-- import.reach_prints: between which instants and numbers the prints of a file lie, by session. A
-- print is known again by its instant or its vendor sequence; its sequence is the vendor's, or made
-- of its instant (import.sequenced_prints).
with

sound as (
    select judged.*, date_diff('microsecond', days.starts_at, printed_at) as instant
    from import.judged as judged
    join import.days as days on days.day = judged.session_date
    where reason is null and skip_reason is null and unknown_condition is null
)

select session_date::varchar as session_date, column_name, least, greatest
from (
    select session_date, unnest([
        {
            'column_name': 'printed_at',
            'least': epoch_us(min(printed_at))::varchar,
            'greatest': epoch_us(max(printed_at))::varchar
        },
        {
            'column_name': 'vendor_sequence',
            'least': min(vendor_sequence)::varchar,
            'greatest': max(vendor_sequence)::varchar
        },
        {
            'column_name': 'sequence',
            'least': min(vendor_sequence)::varchar,
            'greatest': max(vendor_sequence)::varchar
        },
        {
            'column_name': 'sequence',
            'least': (min(instant) * 100000)::varchar,
            'greatest': (max(instant) * 100000 + 99999)::varchar
        }
    ], recursive := true)
    from sound
    group by session_date
)
order by session_date, column_name, least
