-- live.near_spans: the orders that printed near the news, among them all that its zones can hold:
-- an order is no wider than the widest so far, and a zone reaches over two of them to each side.
-- grain: edition_id
-- reads: live.news, live.spans, live.widths
-- param: reach_slow_us, reach_us
with

reaching as (
    select greatest($reach_slow_us::bigint, $reach_us::bigint) + 2 * max(width_us) as reaching_us
    from live.widths
),

-- few of many: by their minute they are found without comparing each order with each zone
minutes as (
    select distinct unnest(range(
        (news.printed_us - reaching.reaching_us) // 60_000_000,
        (news.printed_us + reaching.reaching_us) // 60_000_000 + 1
    )) as minute_number
    from (select distinct printed_us from live.news) as news
    cross join reaching
)

select spans.*
from live.spans as spans
semi join minutes on minutes.minute_number = spans.first_us // 60_000_000
