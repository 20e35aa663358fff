-- positions.outcomes: outcome of each case after its minute, until the PM close: data that no check
-- may use. Distances are from the index to the nearest short strike, below zero beyond it.
-- grain: case_id
-- reads: positions.cases, positions.market_conditions, positions.paths
with

shorts as (
    select
        cases.case_id,
        market.session_date,
        market.minute_et,
        market.spot,
        market.expected_move_points,
        cases.short_put + strike_shift(market.spot, cases.base_spot) as put_strike,
        cases.short_call + strike_shift(market.spot, cases.base_spot) as call_strike
    from positions.cases as cases
    inner join positions.market_conditions as market using (session_date, minute_et)
),

later_minutes as (
    select
        shorts.case_id,
        shorts.spot,
        shorts.expected_move_points,
        paths.minute_et,
        paths.seconds_left,
        paths.spot as later_spot,
        least(paths.spot - put_strike, call_strike - paths.spot) as points
    from shorts
    inner join positions.paths as paths
        on paths.session_date = shorts.session_date
        and paths.minute_et > shorts.minute_et
)

select
    case_id,
    min(points) as worst_points,
    arg_min(minute_et, (points, minute_et)) as worst_minute_et,
    max(case when seconds_left = 0 then points end) as close_points,
    max(case when seconds_left = 0 then abs(later_spot - spot) end) as moved_points,
    max(case when seconds_left = 0 then abs(later_spot - spot) / expected_move_points end)
        as moved_over_expected,
    (count(*) - count(later_spot))::integer as missing_count
from later_minutes
group by case_id
order by case_id
