-- surface.session_smiles: the surface of the session's own PM expiry at each minute, by which a
-- position that expires today is judged. The smile is stored whole, as lists: with the skew of
-- today's puts, a delta of 0.02 may be five expected moves from the forward.
-- grain: minute_et
-- reads: surface.expected_moves, surface.forwards, surface.quotes, surface.smiles, tape.expiries, tape.minutes, tape.session
with

own_expiry as (
    select
        minutes.minute_et,
        arg_min(expiries.root, (expiries.expiry, expiries.root)) as root,
        min(expiries.expiry) as expiry
    from tape.session as session
    cross join tape.minutes as minutes
    inner join tape.expiries as expiries
        on expiries.ends_on = session.session_date
        and expiries.settlement = 'PM'
        and expiries.known_at < minutes.minute_at
    group by minutes.minute_et
),

forwards as (
    select
        forwards.minute_et,
        forwards.term_number,
        forwards.forward,
        forwards.discount,
        -- the forward's reason comes first: without it there is no expected move
        coalesce(forwards.reason, moves.reason) as reason,
        case when forwards.reason is null then moves.expected_move_points end
            as expected_move_points
    from surface.forwards as forwards
    inner join own_expiry using (minute_et, root, expiry)
    left join surface.expected_moves as moves using (minute_et, root, expiry)
),

ranges as (
    select
        forwards.minute_et,
        min(quotes.strike) as quoted_strike_low,
        max(quotes.strike) as quoted_strike_high
    from surface.quotes as quotes
    inner join forwards using (term_number)
    where quotes.call_ask > 0 or quotes.put_ask > 0
    group by forwards.minute_et
),

smiles as (
    select
        forwards.minute_et,
        list_sort(list({
            'strike': smiles.strike,
            'total_variance': smiles.total_variance
        })) as points
    from surface.smiles as smiles
    inner join forwards using (term_number)
    where forwards.expected_move_points is not null
    group by forwards.minute_et
)

select
    minutes.minute_et,
    forwards.forward,
    forwards.discount,
    forwards.expected_move_points,
    ranges.quoted_strike_low,
    ranges.quoted_strike_high,
    coalesce(list_transform(smiles.points, point -> point.strike), []) as smile_strikes,
    coalesce(list_transform(smiles.points, point -> point.total_variance), [])
        as smile_total_variances,
    case
        when own_expiry.minute_et is null then 'no_session_expiry'
        when forwards.minute_et is null then 'expired'
        when forwards.reason is not null then forwards.reason
        when forwards.expected_move_points is null then 'no_smile'
    end as reason
from tape.minutes as minutes
left join own_expiry using (minute_et)
left join forwards using (minute_et)
left join ranges using (minute_et)
left join smiles using (minute_et)
