-- book.bar_noises: variance of net dealer gamma at each node from the quotes' spreads, in ($M per
-- point) squared: each strike's position with the error of its own volatility; of all expiries and
-- of each bucket of them. For the states that are priced here, not for one that only serves.
-- grain: state_at, book_basis, bucket, node_number
-- reads: book.bar_nodes, book.bar_states, book.bar_strikes, book.holdings, book.pair_flows
with

cells as (from book.bar_nodes),

states as (from book.bar_states where minute_at = state_at),

shifts as (select * from bar_log_shifts(states, cells)),

bells as (
    select
        strikes.state_at,
        strikes.bucket,
        strikes.d1,
        strikes.deviation,
        1 / strikes.deviation as steepness,
        strikes.volatility_error * strikes.peak_musd as error_peak,
        holdings.call_inventory + holdings.put_inventory as inventory,
        coalesce(flows.call_flow + flows.put_flow, 0) as flow,
        square(error_peak * (inventory + flow)) as measured,
        square(error_peak * flow) as vol
    from book.bar_strikes as strikes
    inner join book.holdings as holdings
        on holdings.pair_number = strikes.pair_number
        and strikes.state_at >= holdings.enters_at
        and strikes.state_at < holdings.leaves_at
    left join book.pair_flows as flows
        on flows.minute_at = strikes.state_at and flows.pair_number = strikes.pair_number
    where abs(strikes.d1) < bar_gamma_cutoff() + 0.4::double / strikes.deviation
),

-- with u = d1 a bell is at most (1.22 + 0.61 s)^2 high, as e^(-u^2 / 2) |u (u - s) - 1| is at most
-- 2 e^(-1/2) + s e^(-1/2): a bell that cannot add to a sum is not evaluated
shifted_bells as (
    select bells.*, d1 + steepness * columns('^\d+$')
    from bells
    inner join shifts using (state_at)
    where greatest(measured, vol) * square(1.22 + 0.61 * deviation) > 0.49e-6
),

-- gamma is bell(d1) / s: relative to a relative error of s it moves by d1 d2 - 1
shaped as (
    select
        state_at,
        bucket,
        measured,
        vol,
        exp(-columns('^\d+$') * columns('^\d+$'))
        * square(columns('^\d+$') * (columns('^\d+$') - deviation) - 1)
    from shifted_bells
),

parts as (
    select
        state_at,
        bucket,
        exact_square_sum(measured * columns('^(\d+)$')) as 'measured_\1',
        exact_square_sum(vol * columns('^(\d+)$')) as 'vol_\1'
    from shaped
    group by state_at, bucket
),

bucketed as (
    select * replace ('all' as bucket) from parts
    union all
    from parts where bucket <> 'later'
),

sums as (
    select state_at, bucket, exact_square_sum(columns('_\d+$'))
    from bucketed
    group by state_at, bucket
)

select
    state_at,
    split_part(term, '_', 1) as book_basis,
    bucket,
    split_part(term, '_', 2)::integer as node_number,
    variance
from (unpivot sums on columns('_\d+$') into name term value variance)
