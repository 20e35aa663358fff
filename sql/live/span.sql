-- live.span: from when on the orders may have changed since the state before, which prints it takes
-- to fold them, and which to know whether their quotes may be believed.
-- grain: one row
-- reads: fold.cancel_matches, fold.editions, fold.quote_trust, live.arrivals, tape.prints, tape.session
-- param: reach_slow_us, since_ms, trust_prints
with

-- a cancel is news of the print that it takes off
located as (
    select printed_at from live.arrivals
    union all
    select targets.printed_at
    from live.arrivals as cancels
    inner join fold.cancel_matches as matches on matches.cancel_sequence = cancels.sequence
    inner join tape.prints as targets on targets.sequence = matches.sequence
    union all
    select make_timestamp($since_ms::bigint * 1000)
),

replaced as (
    select min(printed_at) - to_microseconds($reach_slow_us::bigint) as replaced_from
    from located
),

orders as (
    select min(editions.printed_at) as first_at
    from fold.editions as editions
    cross join replaced
    where editions.last_printed_at >= replaced.replaced_from
),

-- judged prints enough before the first arrival
judged as (
    select trust.known_at
    from fold.quote_trust as trust
    where trust.is_judged
        and trust.known_at < (select coalesce(min(known_at), 'infinity') from live.arrivals)
    order by trust.known_at desc, trust.sequence desc
    limit 1 offset $trust_prints::bigint
)

select
    replaced.replaced_from,
    -- an order of the zones may lie among others: twice the reach
    least(replaced.replaced_from, orders.first_at)
        - 2 * to_microseconds($reach_slow_us::bigint) as window_from,
    -- the pause before a print is looked for no farther back
    coalesce(
        (select known_at from judged) - interval 1 second, timestamp '1970-01-01'
    ) as trust_from
from replaced
cross join orders
