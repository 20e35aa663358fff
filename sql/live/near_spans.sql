-- live.near_spans: the orders that printed near the changed prints, among them all that the
-- affected ranges can hold: no order is wider than the widest so far, and a range extends over at
-- most two of them on each side.
-- grain: edition_id
-- reads: live.changed_prints, live.spans, live.widths
-- param: window_slow_us, window_us
with

windows as (
    select greatest($window_slow_us::bigint, $window_us::bigint) + 2 * max(width_us) as search_us
    from live.widths
),

-- found by minute, without comparing each order with each range
minutes as (
    select distinct unnest(range(
        (changes.printed_us - windows.search_us) // 60_000_000,
        (changes.printed_us + windows.search_us) // 60_000_000 + 1
    )) as minute_number
    from (select distinct printed_us from live.changed_prints) as changes
    cross join windows
)

select spans.*
from live.spans as spans
semi join minutes on minutes.minute_number = spans.first_us // 60_000_000
