-- book.coverage: how many live strikes of the book each minute could price. A strike without
-- inventory counts from its first order on.
-- grain: minute_at
-- reads: book.pair_flows, book.pairs, book.positions, surface.terms
with

held as (
    select terms.minute_at
    from surface.terms as terms
    join book.pairs as pairs using (root, expiry)
    where terms.seconds_left > 0
        and (pairs.has_inventory or terms.minute_at >= pairs.enters_at)
),

traded as (
    select flows.minute_at
    from book.pair_flows as flows
    join book.pairs as pairs using (pair_number)
    join surface.terms as terms
        on terms.minute_at = flows.minute_at
        and terms.root = pairs.root
        and terms.expiry = pairs.expiry
    where terms.seconds_left > 0 and not pairs.has_inventory
),

live as (
    select minute_at, count(*) as pair_count,
    from (from held union all from traded)
    group by minute_at
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
