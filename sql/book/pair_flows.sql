-- book.pair_flows: the session's signed flow of each traded strike as every minute knows it.
-- grain: minute_at, pair_number
-- reads: book.flows, book.pairs, tape.minutes
with

arrivals as (
    select
        pairs.pair_number,
        flows.minute_at,
        sum(flows.dealer_quantity) filter (flows.option_type = 'C') as calls,
        sum(flows.dealer_quantity) filter (flows.option_type = 'P') as puts,
    from book.flows as flows
    join book.pairs as pairs using (root, expiry, strike)
    where flows.minute_at is not null
    group by all
),

traded as (
    select pair_number, min(minute_at) as first_at from arrivals group by pair_number
)

select
    minutes.minute_at,
    traded.pair_number,
    coalesce(sum(arrivals.calls) over so_far, 0)::bigint as call_flow,
    coalesce(sum(arrivals.puts) over so_far, 0)::bigint as put_flow,
from traded
join tape.minutes as minutes on minutes.minute_at >= traded.first_at
left join arrivals
    on arrivals.pair_number = traded.pair_number and arrivals.minute_at = minutes.minute_at
window so_far as (
    partition by traded.pair_number order by minutes.minute_at rows unbounded preceding
)
