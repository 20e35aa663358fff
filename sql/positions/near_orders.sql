-- positions.near_orders: for each case, the large orders of the last hour within 10 points of a
-- short strike: the ten of the largest premium, largest first, each by its distance from that
-- strike, and how many there are.
-- grain: case_id, leg, order_id
-- reads: positions.cases, positions.large_orders, positions.market_conditions
with

shorts as (
    select
        cases.case_id,
        market.session_date,
        market.minute_at,
        unnest([
            {'leg': 'sp', 'short_strike': cases.short_put},
            {'leg': 'sc', 'short_strike': cases.short_call}
        ], recursive := true)
    from positions.cases as cases
    inner join positions.market_conditions as market using (session_date, minute_et)
),

struck as (
    select * exclude (strikes), unnest(strikes) as strike from positions.large_orders
),

near as (
    select
        shorts.case_id,
        shorts.leg,
        struck.order_id,
        struck.minute_et,
        struck.structure,
        arg_min(strike - short_strike, (abs(strike - short_strike), strike)) as distance_points,
        struck.gross_premium_usd,
        struck.dealer_gamma_musd_per_point,
        struck.gamma_null_reason
    from shorts
    inner join struck
        on struck.session_date = shorts.session_date
        and struck.visible_at < shorts.minute_at
        and coalesce(struck.superseded_at >= shorts.minute_at, true)
        and struck.printed_at >= shorts.minute_at - interval 60 minutes
        and abs(struck.strike - shorts.short_strike) <= 10
    group by all
)

select
    *,
    count(*) over (partition by case_id, leg)::integer as order_count
from near
qualify
    row_number() over (partition by case_id, leg order by gross_premium_usd desc, order_id) <= 10
order by case_id, leg, gross_premium_usd desc, order_id
