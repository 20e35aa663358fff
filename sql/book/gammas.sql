-- book.gammas: dealer gamma at the spot by strike, over all expiries and in each bucket of them, in
-- $M per index point. The gross columns add absolute amounts, so that calls and puts do not cancel.
-- listed is the gamma of all that may be held, guessed the part of it of which nobody knows the
-- dealers' side; the monthly columns are of the monthly expiry alone.
-- grain: minute_at, bucket, strike
-- reads: book.holdings, book.pairs, book.positions
with

strikes as (
    select
        positions.minute_at,
        positions.bucket,
        positions.is_monthly,
        pairs.strike,
        positions.peak_musd
        * gamma_shape(positions.d1, 1 / positions.deviation, 0::double) as unit_musd,
        holdings.call_inventory,
        holdings.put_inventory,
        holdings.call_oi,
        holdings.put_oi,
        holdings.call_guess,
        holdings.put_guess,
        holdings.listed,
        positions.call_flow,
        positions.put_flow
    from book.positions as positions
    inner join book.pairs as pairs on pairs.pair_number = positions.pair_number
    inner join book.holdings as holdings
        on holdings.pair_number = positions.pair_number
        and positions.minute_at >= holdings.enters_at
        and positions.minute_at < holdings.leaves_at
),

parts as (
    select
        minute_at,
        bucket,
        is_monthly,
        strike,
        exact_sum(call_inventory * unit_musd) as call_inventory_musd,
        exact_sum(put_inventory * unit_musd) as put_inventory_musd,
        exact_sum(call_oi * unit_musd) as call_oi_musd,
        exact_sum(put_oi * unit_musd) as put_oi_musd,
        exact_sum(call_flow * unit_musd) as call_flow_musd,
        exact_sum(put_flow * unit_musd) as put_flow_musd,
        exact_sum(listed * unit_musd) as listed_musd,
        exact_sum((call_guess + put_guess) * unit_musd) as guessed_musd,
        exact_sum((abs(call_oi) + abs(put_oi)) * unit_musd) as gross_oi_musd,
        exact_sum((abs(call_flow) + abs(put_flow)) * unit_musd) as gross_flow_musd
    from strikes
    group by minute_at, bucket, is_monthly, strike
),

bucketed as (
    select *, 'all' as sum_bucket from parts
    union all
    select *, bucket from parts where bucket <> 'later'
)

select
    minute_at,
    sum_bucket as bucket,
    strike,
    exact_sum(call_inventory_musd) as call_inventory_musd,
    exact_sum(put_inventory_musd) as put_inventory_musd,
    exact_sum(call_oi_musd) as call_oi_musd,
    exact_sum(put_oi_musd) as put_oi_musd,
    exact_sum(call_flow_musd) as call_flow_musd,
    exact_sum(put_flow_musd) as put_flow_musd,
    exact_sum(listed_musd) as listed_musd,
    exact_sum(guessed_musd) as guessed_musd,
    exact_sum(gross_oi_musd) as gross_oi_musd,
    exact_sum(gross_flow_musd) as gross_flow_musd,
    coalesce(exact_sum(case when is_monthly then listed_musd end), 0) as monthly_listed_musd,
    coalesce(exact_sum(case when is_monthly then gross_oi_musd end), 0) as monthly_oi_musd,
    coalesce(exact_sum(case when is_monthly then gross_flow_musd end), 0) as monthly_flow_musd
from bucketed
group by minute_at, sum_bucket, strike
