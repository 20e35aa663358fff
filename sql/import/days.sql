-- import.days: the calendar of every day that rows of a file name.
-- grain: day
-- reads:
-- param: days
select
    unnest.day,
    unnest.session_date,
    unnest.evening_session_date,
    unnest.holiday_session_date,
    to_microseconds(unnest.offset_ms * 1000) as wall_offset,
    make_timestamp(unnest.starts_ms * 1000) as starts_at,
    make_timestamp(unnest.evening_ms * 1000) as evening_at,
    make_timestamp(unnest.night_ends_ms * 1000) as night_ends_at,
    make_timestamp(unnest.opens_ms * 1000) as opens_at,
    make_timestamp(unnest.closes_ms * 1000) as closes_at
from unnest(from_json($days, '[{
    "day": "date", "session_date": "date", "evening_session_date": "date",
    "holiday_session_date": "date", "offset_ms": "bigint", "starts_ms": "bigint",
    "evening_ms": "bigint", "night_ends_ms": "bigint", "opens_ms": "bigint", "closes_ms": "bigint"
}]'))
