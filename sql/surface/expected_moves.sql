-- surface.expected_moves: the undiscounted straddle at the forward of the session's nearest PM
-- expiry. The session's own move is the one of the opening minute, used for the rest of the day.
-- grain: minute_et
-- reads: surface.forwards, surface.smiles, tape.expiries, tape.minutes
with

nearest as (
    select
        minutes.minute_et,
        minutes.minute_at,
        arg_min(
            {'root': expiries.root, 'expiry': expiries.expiry},
            (expiries.expires_at, expiries.expiry, expiries.root)
        ) as contract
    from tape.minutes as minutes
    inner join tape.expiries as expiries
        on expiries.expires_at > minutes.minute_at and expiries.known_at < minutes.minute_at
    where expiries.settlement = 'PM'
    group by all
),

forwards as (
    select
        nearest.minute_et,
        forwards.term_number,
        forwards.root,
        forwards.expiry,
        forwards.forward,
        forwards.years,
        forwards.reason
    from nearest
    inner join surface.forwards as forwards
        on forwards.minute_et = nearest.minute_et
        and forwards.root = nearest.contract.root
        and forwards.expiry = nearest.contract.expiry
),

-- a look back sorts what it looks through: only these expiries
nearest_smiles as (
    select smiles.*
    from surface.smiles as smiles
    semi join forwards using (term_number)
),

moves as (
    select
        forwards.minute_et,
        forwards.root,
        forwards.expiry,
        forwards.reason,
        sqrt(smile_total_variance(
            0.0::double,
            smiles.log_moneyness,
            smiles.total_variance,
            smiles.next_log_moneyness,
            smiles.next_total_variance
        ) / forwards.years) as forward_vol,
        expected_move_points(forwards.forward, forward_vol, forwards.years) as expected_move_points
    from forwards
    asof left join nearest_smiles as smiles
        on forwards.term_number = smiles.term_number
        and forwards.forward >= smiles.from_strike
)

select
    minutes.minute_et,
    moves.root,
    moves.expiry,
    moves.forward_vol as implied_vol,
    moves.expected_move_points,
    session_move(minutes.minute_et, opening.expected_move_points) as session_expected_move_points,
    case
        when moves.minute_et is null then 'no_pm_expiry'
        when moves.reason is not null then moves.reason
        when moves.expected_move_points is null then 'no_smile'
    end as reason
from tape.minutes as minutes
left join moves on moves.minute_et = minutes.minute_et
left join moves as opening on opening.minute_et = opening_minute()
