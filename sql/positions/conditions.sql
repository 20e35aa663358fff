-- positions.conditions: every condition of the catalogue for each case: a position at a minute of a
-- session, by the data known before it. An unknowable value is null, with its reason.
-- grain: case_id
-- reads: positions.cases, positions.large_orders, positions.market_conditions
with

markets as (
    select
        cases.case_id,
        market.*,
        cases.short_put + strike_shift(market.spot, cases.base_spot) as put_strike,
        cases.short_call + strike_shift(market.spot, cases.base_spot) as call_strike,
        market.spot - put_strike as put_points,
        call_strike - market.spot as call_points,
        -- below zero once the index has passed a short strike
        least(put_points, call_points) as short_points,
        coalesce(least(put_strike, call_strike) >= quoted_strike_low, false)
            and greatest(put_strike, call_strike) <= quoted_strike_high as is_quoted,
        -- one that was moved below zero has no logarithm
        case when is_quoted then put_strike end as priced_put,
        case when is_quoted then call_strike end as priced_call,
        listed_number(priced_put, smile_strikes) as put_number,
        listed_number(priced_call, smile_strikes) as call_number
    from positions.cases as cases
    inner join positions.market_conditions as market using (session_date, minute_et)
),

deviations as (
    select
        *,
        sqrt(listed_total_variance(
            priced_put, forward, put_number, smile_strikes, smile_total_variances
        )) as put_deviation,
        sqrt(listed_total_variance(
            priced_call, forward, call_number, smile_strikes, smile_total_variances
        )) as call_deviation
    from markets
),

deltas as (
    select
        *,
        -- the delta of the nearer strike is the larger one: no second normal distribution
        greatest(
            -black76_d1(forward, priced_put, put_deviation, 1.0::double),
            black76_d1(forward, priced_call, call_deviation, 1.0::double)
        ) as d1,
        abs(d1) * sqrt(0.5::double) as tail_start,
        -- of the normal tail; in two steps, for a macro copies what it is given at every use
        (tail_start - 3.75::double) / (tail_start + 3.75::double) as scaled_tail
    from deviations
),

-- large orders of the last hour as they were known before the minute
recent as (
    select minutes.minute_at, orders.*, orders.dealer_gamma_musd_per_point as gamma
    from positions.large_orders as orders
    inner join (select distinct session_date, minute_at from markets) as minutes
        on minutes.session_date = orders.session_date
        and orders.visible_at < minutes.minute_at
        and coalesce(orders.superseded_at >= minutes.minute_at, true)
        and orders.printed_at >= minutes.minute_at - interval 60 minutes
),

flows as (
    select minute_at, exact_sum(gamma) as gamma, count(*) as order_count
    from recent
    group by minute_at
),

-- within 10 points of a short strike, in the last 30 minutes
near_orders as (
    select deviations.case_id, recent.gamma, recent.gross_premium_usd / 1e6 as premium_musd
    from recent
    inner join deviations using (session_date, minute_at)
    where recent.printed_at >= recent.minute_at - interval 30 minutes
        and len(list_filter(recent.strikes, strike ->
            abs(strike - put_strike) <= 10 or abs(strike - call_strike) <= 10
        )) > 0
),

nears as (
    select
        case_id,
        exact_sum(case when gamma < 0 then premium_musd else 0 end) as removing_musd,
        count(gamma) as priced_count
    from near_orders
    group by case_id
)

select
    case_id,
    smile_reason,
    put_points,
    call_points,
    put_points / expected_move_points as put_moves,
    call_points / expected_move_points as call_moves,
    list_concat(conditions, [
        condition_value('short_dist_em', short_points / expected_move_points,
            case when spot is null then 'no_spot' else no_surface end),
        condition_value('short_dist_pts', short_points, 'no_spot'),
        condition_value('short_delta',
            discount * forward / spot * tail_cdf(d1, tail_start, scaled_tail),
            case when spot is null then 'no_spot'
                when smile_reason is null and not is_quoted then 'strike_not_quoted'
                else no_surface end),
        -- the put wall guards a short put, the call wall a short call
        condition_value('wall_missing',
            missing_wall(put_strike, put_wall, put_strike, spot)
                + missing_wall(call_strike, call_wall, spot, call_strike), no_level),
        -- orders without a gamma may each have removed some: nothing but them is not zero
        condition_value('order_near_short',
            case when priced_count > 0 then removing_musd when priced_count is null then 0 end,
            'no_gamma'),
        condition_value('flow_removes_gamma',
            case when order_count is null then 0 else flows.gamma end, 'no_gamma')
    ]) as conditions
from deltas
left join flows using (minute_at)
left join nears using (case_id)
