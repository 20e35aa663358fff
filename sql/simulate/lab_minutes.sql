-- simulate.lab_minutes: the market minutes of a simulated session of LAB.
-- grain: minute_et
-- reads: simulate.lab_quotes, simulate.lab_smiles, simulate.lab_states, tape.session
with

states as (
    select
        state,
        minute_et,
        at_ms,
        known_value(spot) as spot,
        known_value(open) as open,
        known_value(previous_close) as previous_close,
        known_value(forward) as forward,
        known_value(discount) as discount,
        known_value(expected_move) as expected_move,
        known_value(session_expected_move) as session_expected_move,
        known_value(net_gamma) as net_gamma,
        known_value(flip) as flip,
        known_value(call_wall) as call_wall,
        known_value(put_wall) as put_wall
    from simulate.lab_states
),

quoted as (
    select state, min(strike) as low, max(strike) as high
    from simulate.lab_quotes
    where dte = 0 and not (isnan(call_ask) and isnan(put_ask))
    group by state
),

smiles as (
    select
        state,
        list(strike order by strike) as strikes,
        list(total_variance order by strike) as total_variances
    from simulate.lab_smiles
    where dte = 0
    group by state
)

select
    session.session_date,
    states.minute_et,
    make_timestamp((states.at_ms * 1000)::bigint) as minute_at,
    epoch(session.pm_expires_at - minute_at)::integer as seconds_left,
    epoch(session.pm_expires_at - session.opens_at)::integer - 60 as session_seconds,
    states.spot,
    states.open,
    states.previous_close,
    case when states.previous_close is null then 'no_previous_close' end as previous_close_reason,
    states.forward,
    states.discount,
    states.expected_move as expected_move_points,
    states.session_expected_move as session_expected_move_points,
    quoted.low as quoted_strike_low,
    quoted.high as quoted_strike_high,
    coalesce(smiles.strikes, []) as smile_strikes,
    coalesce(smiles.total_variances, []) as smile_total_variances,
    case
        when seconds_left <= 0 then 'expired'
        when states.forward is null then 'no_quote'
    end as smile_reason,
    states.net_gamma as net_gamma_musd_per_point,
    states.flip,
    states.call_wall,
    states.put_wall,
    case when states.flip is null then 'no_forward' end as level_reason,
    -- there are no orders that could be misread
    states.flip as flip_lo,
    states.flip as flip_hi,
    0.5::double * (1 + sign(states.net_gamma)) as p_positive,
    case when states.spot is not null then 'index' end as spot_source,
    null::double as spot_error
from states
cross join tape.session as session
left join quoted using (state)
left join smiles using (state)
order by states.minute_et
