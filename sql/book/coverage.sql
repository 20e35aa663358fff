-- book.coverage: how many live strikes of the book each minute could price. A strike without
-- inventory counts from its first order on.
-- grain: minute_at
-- reads: book.pairs, book.positions, surface.terms
with

live as (
    select terms.minute_at, count(*) as pair_count,
    from surface.terms as terms
    join book.pairs as pairs using (root, expiry)
    where terms.seconds_left > 0
        and (pairs.has_inventory or terms.minute_at >= pairs.first_flow_at)
    group by terms.minute_at
),

priced as (
    select minute_at, count(*) as pair_count,
    from book.positions
    group by minute_at
)

select
    live.minute_at,
    live.pair_count::integer as live_count,
    coalesce(priced.pair_count, 0)::integer as priced_count,
    priced_count / live_count::double as priced_share,
from live
left join priced using (minute_at)
