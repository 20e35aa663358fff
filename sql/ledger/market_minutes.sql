-- ledger.market_minutes: the market of each minute as a position that expires today is judged by:
-- known before HH:MM:00, all of it.
-- grain: minute_et
-- reads: levels.levels, surface.session_smiles, surface.spots, tape.previous_close, tape.session
with

-- the index of the first minute that has one, if it came within five minutes of the open
opening as (
    select
        min(spots.minute_at) as minute_at,
        arg_min(spots.spot, spots.minute_at) as open
    from surface.spots as spots
    cross join tape.session as session
    where spots.spot is not null
        and spots.spotted_at >= session.opens_at
        and spots.minute_at <= session.opens_at + interval 5 minutes
)

select
    session.session_date,
    spots.minute_et,
    spots.minute_at,
    epoch(session.pm_expires_at - spots.minute_at)::integer as seconds_left,
    epoch(session.pm_expires_at - session.opens_at)::integer - 60 as session_seconds,
    spots.spot,
    case when spots.minute_at >= opening.minute_at then opening.open end as open,
    previous.previous_close,
    previous.reason as previous_close_reason,
    smiles.forward,
    smiles.discount,
    smiles.expected_move_points,
    -- the move of the opening minute serves for the rest of the day
    case when spots.minute_et >= first_smile.minute_et then first_smile.expected_move_points end
        as session_expected_move_points,
    smiles.quoted_strike_low,
    smiles.quoted_strike_high,
    smiles.smile_strikes,
    smiles.smile_total_variances,
    smiles.reason as smile_reason,
    -- without the dealers' side of the inventory its sign says nothing: unknown, not negative
    case when (levels.reason is distinct from 'inventory_unknown')
        then levels.net_gamma_musd_per_point
    end as net_gamma_musd_per_point,
    levels.flip,
    levels.call_wall,
    levels.put_wall,
    levels.reason as level_reason,
    levels.flip_lo,
    levels.flip_hi,
    levels.p_positive,
    spots.spot_source,
    spots.spot_error
from surface.spots as spots
cross join tape.session as session
cross join tape.previous_close as previous
left join opening on opening.minute_at is not null
inner join surface.session_smiles as smiles using (minute_et)
left join surface.session_smiles as first_smile on first_smile.minute_et = opening_minute()
left join levels.levels as levels
    on levels.minute_et = spots.minute_et and levels.book_basis = 'measured'
order by spots.minute_et
