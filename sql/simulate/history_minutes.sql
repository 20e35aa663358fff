-- simulate.history_minutes: the market minutes of a session that was simulated by the minute: a
-- smile on its at-the-money variance, everything known.
-- grain: minute_et
-- reads: simulate.shown_minutes, tape.session
-- param: previous_close
with

moved as (
    select
        minutes.*,
        make_timestamp((minutes.at_ms * 1000)::bigint) as minute_at,
        session.session_date,
        epoch(session.pm_expires_at - minute_at)::integer as seconds_left,
        epoch(session.pm_expires_at - session.opens_at)::integer - 60 as session_seconds,
        case when seconds_left > 0 then expected_move_points(spot, sqrt(variance), 1.0::double)
        end as move
    from simulate.shown_minutes as minutes
    cross join tape.session as session
),

struck as (
    select
        *,
        case when move is null then []::double[] else list_transform(
            range(ceil((spot - 4 * move) / 5)::bigint, floor((spot + 4 * move) / 5)::bigint + 1),
            lambda step: (5 * step)::double
        ) end as strikes
    from moved
)

select
    session_date,
    minute_et,
    minute_at,
    seconds_left,
    session_seconds,
    spot,
    case when seconds_left <= session_seconds
        then max(spot) filter (seconds_left = session_seconds) over () end as open,
    $previous_close::double as previous_close,
    null::varchar as previous_close_reason,
    case when seconds_left > 0 then spot end as forward,
    case when seconds_left > 0 then 1.0::double end as discount,
    move as expected_move_points,
    case when seconds_left <= session_seconds
        then max(move) filter (seconds_left = session_seconds) over () end
        as session_expected_move_points,
    5 * floor(spot * 0.9 / 5) as quoted_strike_low,
    5 * floor(spot * 1.1 / 5) as quoted_strike_high,
    strikes as smile_strikes,
    list_transform(strikes, lambda strike: variance * greatest(
        0.2::double, 1 - slope * log_moneyness(strike, spot) / sqrt(variance)
    )) as smile_total_variances,
    case when seconds_left <= 0 then 'expired' end as smile_reason,
    net_gamma as net_gamma_musd_per_point,
    flip,
    call_wall,
    put_wall,
    null::varchar as level_reason,
    -- there are no orders that could be misread
    flip as flip_lo,
    flip as flip_hi,
    0.5::double * (1 + sign(net_gamma)) as p_positive,
    'index' as spot_source,
    null::double as spot_error
from struck
order by minute_et
