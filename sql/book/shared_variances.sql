-- book.shared_variances: variance of net dealer gamma at each node from what many orders share, in
-- ($M per point) squared: how many customers of a class buy, and how often a side is right. What a
-- class would move is added up over its strikes and then squared. Carried positions have the balance
-- of earlier sessions, a class of its own, and the rates of all. Of all expiries and of each bucket of
-- them. For the states that are priced here, not for one that only serves.
-- grain: state_at, book_basis, bucket, node_number
-- reads: book.balances, book.bar_nodes, book.bar_states, book.bar_strikes, book.holdings, book.pair_flows
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
        strikes.peak_musd * coalesce(flows.call_balance, 0) as calls,
        strikes.peak_musd * coalesce(flows.put_balance, 0) as puts,
        strikes.peak_musd * coalesce(flows.call_rate, 0) as callrates,
        strikes.peak_musd * coalesce(flows.put_rate, 0) as putrates,
        strikes.peak_musd * holdings.call_balance as carriedcalls,
        strikes.peak_musd * holdings.put_balance as carriedputs,
        callrates + strikes.peak_musd * holdings.call_rate as allcallrates,
        putrates + strikes.peak_musd * holdings.put_rate as allputrates
    from book.bar_strikes as strikes
    inner join book.holdings as holdings
        on holdings.pair_number = strikes.pair_number
        and strikes.state_at >= holdings.enters_at
        and strikes.state_at < holdings.leaves_at
    left join book.pair_flows as flows
        on flows.minute_at = strikes.state_at and flows.pair_number = strikes.pair_number
    where abs(strikes.d1) < bar_gamma_cutoff() + 0.4::double / strikes.deviation
        and greatest(abs(calls), abs(puts), abs(carriedcalls), abs(carriedputs)) > 0
),

shaped as (
    select
        bells.* exclude (d1, steepness),
        gamma_shape(d1, steepness, columns('^\d+$'))
    from bells
    inner join shifts using (state_at)
),

class_sums as (
    select
        state_at,
        bucket,
        exact_sum(calls * columns('^(\d+)$')) as 'calls_\1',
        exact_sum(puts * columns('^(\d+)$')) as 'puts_\1',
        exact_sum(callrates * columns('^(\d+)$')) as 'callrates_\1',
        exact_sum(putrates * columns('^(\d+)$')) as 'putrates_\1',
        exact_sum(carriedcalls * columns('^(\d+)$')) as 'carriedcalls_\1',
        exact_sum(carriedputs * columns('^(\d+)$')) as 'carriedputs_\1',
        exact_sum(allcallrates * columns('^(\d+)$')) as 'allcallrates_\1',
        exact_sum(allputrates * columns('^(\d+)$')) as 'allputrates_\1'
    from shaped
    group by state_at, bucket
),

-- what expires today is a class of its own, in the sum of all expiries, too
bucketed as (
    select * replace ('all' as bucket), bucket = '0dte' as is_today from class_sums
    union all
    select *, bucket = '0dte' from class_sums where bucket <> 'later'
),

sums as (
    select state_at, bucket, is_today, exact_sum(columns('_\d+$'))
    from bucketed
    group by state_at, bucket, is_today
),

terms as (
    select
        state_at,
        bucket,
        is_today,
        split_part(term, '_', 1) as part,
        split_part(term, '_', 2)::integer as node_number,
        square(amount) as square
    from (unpivot sums on columns('_\d+$') into name term value amount)
),

-- the variance that is left of a logit, and the books that a part is in
weights as (
    select unnest([
        {'part': 'calls', 'option_type': 'C', 'book_basis': 'vol'},
        {'part': 'calls', 'option_type': 'C', 'book_basis': 'measured'},
        {'part': 'puts', 'option_type': 'P', 'book_basis': 'vol'},
        {'part': 'puts', 'option_type': 'P', 'book_basis': 'measured'},
        {'part': 'callrates', 'option_type': null, 'book_basis': 'vol'},
        {'part': 'putrates', 'option_type': null, 'book_basis': 'vol'},
        {'part': 'allcallrates', 'option_type': null, 'book_basis': 'measured'},
        {'part': 'allputrates', 'option_type': null, 'book_basis': 'measured'},
        {'part': 'carriedcalls', 'option_type': 'carried', 'book_basis': 'measured'},
        {'part': 'carriedputs', 'option_type': 'carried', 'book_basis': 'measured'}
    ], recursive := true)
)

select
    terms.state_at,
    weights.book_basis,
    terms.bucket,
    terms.node_number,
    exact_square_sum(
        terms.square * case
            when weights.option_type is null then 1
            when weights.option_type = 'carried' then square(balance_deviation())
            else balances.variance
        end
    ) as variance
from terms
inner join weights using (part)
left join book.balances as balances
    on balances.minute_at = terms.state_at
    and balances.flow_class = flow_class(weights.option_type, terms.is_today)
group by terms.state_at, weights.book_basis, terms.bucket, terms.node_number
