-- positions.market_conditions: conditions of each minute that depend on the market alone, with the
-- inputs of the others.
-- grain: session_date, minute_et
-- reads: positions.market_minutes
with

marked as (
    select
        market.*,
        market.session_seconds - market.seconds_left as elapsed_seconds,
        earlier.spot as spot_15m,
        coalesce(market.level_reason, 'no_level') as no_level,
        coalesce(market.smile_reason, 'no_smile') as no_surface,
        -- the move of 09:31 may be missing where that of the minute is not
        case when market.session_expected_move_points is null
            then coalesce(market.smile_reason, 'no_session_expected_move') else no_surface
        end as no_move,
        market.forward - market.expected_move_points as strike_below,
        market.forward + market.expected_move_points as strike_above,
        listed_number(strike_below, market.smile_strikes) as number_below,
        listed_number(strike_above, market.smile_strikes) as number_above
    from positions.market_minutes as market
    left join positions.market_minutes as earlier
        on earlier.session_date = market.session_date
        and earlier.minute_at = market.minute_at - interval 15 minutes
),

skewed as (
    select
        *,
        listed_total_variance(
            strike_below, forward, number_below, smile_strikes, smile_total_variances
        ) as variance_below,
        listed_total_variance(
            strike_above, forward, number_above, smile_strikes, smile_total_variances
        ) as variance_above
    from marked
)

select
    session_date,
    minute_et,
    minute_at,
    spot,
    forward,
    discount,
    expected_move_points,
    quoted_strike_low,
    quoted_strike_high,
    smile_strikes,
    smile_total_variances,
    smile_reason,
    flip,
    flip_lo,
    flip_hi,
    call_wall,
    put_wall,
    no_level,
    no_surface,
    spot_error,
    [
        condition_value('gamma_negative', net_gamma_musd_per_point, no_level),
        condition_value('flip_near', abs(spot - flip), no_level),
        condition_value('under_flip', flip - spot, no_level),
        condition_value(
            'move_used',
            abs(spot - open) / session_expected_move_points,
            case
                when spot is null then 'no_spot' when open is null then 'no_open' else no_move
            end
        ),
        condition_value(
            'move_15m',
            -- the quarter of an hour begins within the session
            case when elapsed_seconds >= 900 then abs(spot - spot_15m) end
                / session_expected_move_points,
            case
                when elapsed_seconds < 900 then 'too_early'
                when spot is null or spot_15m is null then 'no_spot'
                else no_move
            end
        ),
        condition_value(
            'vol_up',
            100 * (
                expected_move_points
                / (session_expected_move_points * sqrt(seconds_left / session_seconds)) - 1
            ),
            case when expected_move_points is null then no_surface else no_move end
        ),
        condition_value('time_left', seconds_left / 60, 'no_close'),
        condition_value(
            'gap',
            100 * abs(open / previous_close - 1),
            coalesce(previous_close_reason, 'no_open')
        ),
        condition_value(
            'skew',
            100 * (sqrt(variance_below) - sqrt(variance_above))
                / sqrt(years_of_seconds(seconds_left)),
            no_surface
        )
    ] as conditions
from skewed
where seconds_left > 0 and elapsed_seconds >= 0
