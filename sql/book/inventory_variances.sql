-- book.inventory_variances: variance of net dealer gamma at each node from what is not known of the
-- inventory at the open, in ($M per point) squared. Of guessed open interest dealers may hold a
-- share that all calls, and one that all puts, have in common, and one that each contract has for
-- itself; carried positions have a deviation of their own. Of all expiries and of each bucket of
-- them. For the states that are priced here, not for one that only serves.
-- grain: state_at, bucket, node_number
-- reads: book.bar_nodes, book.bar_states, book.bar_strikes, book.holdings, tape.guess_shares
with

cells as (from book.bar_nodes),

states as (from book.bar_states where minute_at = state_at),

shifts as (select * from bar_log_shifts(states, cells)),

bells as (
    select
        strikes.state_at,
        strikes.bucket,
        strikes.d1,
        1 / strikes.deviation as steepness,
        strikes.peak_musd * holdings.call_guess as calls,
        strikes.peak_musd * holdings.put_guess as puts,
        square(strikes.peak_musd)
        * (square(holdings.call_deviation) + square(holdings.put_deviation)) as carried_square
    from book.bar_strikes as strikes
    inner join book.holdings as holdings
        on holdings.pair_number = strikes.pair_number
        and strikes.state_at >= holdings.enters_at
        and strikes.state_at < holdings.leaves_at
    where holdings.call_guess + holdings.put_guess
        + holdings.call_deviation + holdings.put_deviation > 0
        and abs(strikes.d1) < bar_gamma_cutoff() + 0.4::double / strikes.deviation
),

shaped as (
    select
        bells.state_at,
        bells.bucket,
        calls,
        puts,
        square(calls) + square(puts) as guess_square,
        carried_square,
        gamma_shape(d1, steepness, columns('^\d+$'))
    from bells
    inner join shifts using (state_at)
),

bucket_sums as (
    select
        state_at,
        bucket,
        exact_sum(calls * columns('^(\d+)$')) as 'calls_\1',
        exact_sum(puts * columns('^(\d+)$')) as 'puts_\1',
        exact_square_sum(guess_square * square(columns('^(\d+)$'))) as 'own_\1',
        exact_square_sum(carried_square * square(columns('^(\d+)$'))) as 'carried_\1'
    from shaped
    group by state_at, bucket
),

bucketed as (
    select * replace ('all' as bucket) from bucket_sums
    union all
    from bucket_sums where bucket <> 'later'
),

sums as (
    select
        state_at,
        bucket,
        exact_sum(columns('^(calls|puts)_\d+$')),
        exact_square_sum(columns('^(own|carried)_\d+$'))
    from bucketed
    group by state_at, bucket
),

terms as (
    select
        state_at,
        bucket,
        split_part(term, '_', 1) as part,
        split_part(term, '_', 2)::integer as node_number,
        amount
    from (unpivot sums on columns('_\d+$') into name term value amount)
),

parts as (
    select
        state_at,
        bucket,
        node_number,
        any_value(amount) filter (part = 'calls') as calls_musd,
        any_value(amount) filter (part = 'puts') as puts_musd,
        any_value(amount) filter (part = 'own') as own_square,
        any_value(amount) filter (part = 'carried') as carried_variance
    from terms
    group by state_at, bucket, node_number
),

shares as (
    select
        any_value(share) filter (kind = 'common') as common_share,
        any_value(share) filter (kind = 'own') as own_share
    from tape.guess_shares
)

select
    parts.state_at,
    parts.bucket,
    parts.node_number,
    square(shares.common_share) * (square(parts.calls_musd) + square(parts.puts_musd))
    + square(shares.own_share) * parts.own_square as guess_variance,
    parts.carried_variance
from parts
cross join shares
