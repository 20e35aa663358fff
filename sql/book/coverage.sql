-- book.coverage: how many live strikes of the book each minute could price. A strike without
-- inventory counts from its first order on.
-- grain: minute_at
-- reads: book.pair_flows, book.pairs, book.positions, surface.terms
with

held as (
    select root, expiry, enters_at, count(*) as pair_count,
    from book.pairs
    where has_inventory or enters_at is not null
    group by all
),

traded as (
    select flows.minute_at, pairs.root, pairs.expiry, count(*) as pair_count,
    from book.pair_flows as flows
    join book.pairs as pairs using (pair_number)
    where not pairs.has_inventory
    group by all
),

counted as (
    select terms.minute_at, held.pair_count
    from surface.terms as terms
    join held using (root, expiry)
    where terms.seconds_left > 0
        and (held.enters_at is null or terms.minute_at >= held.enters_at)
    union all
    select terms.minute_at, traded.pair_count
    from surface.terms as terms
    join traded using (minute_at, root, expiry)
    where terms.seconds_left > 0
),

live as (
    select minute_at, sum(pair_count) as pair_count,
    from counted
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
