-- ledger.regime_grades: the probability that net gamma is positive, as it was stated at each half
-- hour, next to how calm the index was in the 30 minutes after: its variance by the minute against
-- the part of it that the options expected then, an equal part of what remained to the PM close.
-- Dealers long gamma calm the index, by theory. A book by the convention has no probability.
-- grain: minute_et, book_basis
-- reads: ledger.levels, ledger.market_minutes
with

steps as (
    select
        minute_at,
        square(spot - lag(spot) over by_minute) as step,
        minute_at - lag(minute_at) over by_minute = interval 1 minute as is_next
    from ledger.market_minutes
    window by_minute as (order by minute_at)
),

stated as (
    select
        levels.session_date,
        levels.minute_et,
        minutes.minute_at,
        levels.book_basis,
        levels.p_positive,
        levels.reason as level_reason,
        -- the straddle is a mean distance: of a normal one, 0.8 of its standard deviation
        square(minutes.expected_move_points)
        * pi() / 2 * regime_minutes() * 60 / minutes.seconds_left as expected_variance_points
    from ledger.levels as levels
    inner join ledger.market_minutes as minutes using (minute_et)
    where levels.book_basis <> 'oi'
        and minute_number(levels.minute_et) % regime_minutes() = 0
        and minute_number(levels.minute_et) >= 600
        and minutes.seconds_left >= regime_minutes() * 60
),

realised as (
    select
        stated.*,
        case
            when
                count(steps.step) filter (steps.is_next) = regime_minutes()
                then exact_sum(steps.step)
        end as realised_variance_points
    from stated
    left join steps
        on steps.minute_at > stated.minute_at
        and steps.minute_at <= stated.minute_at + regime_minutes() * interval 1 minute
    group by all
)

select
    session_date,
    minute_et,
    book_basis,
    p_positive,
    expected_variance_points,
    realised_variance_points,
    realised_variance_points < expected_variance_points as is_calm,
    case
        when p_positive is null then coalesce(level_reason, 'no_deviation')
        when realised_variance_points is null then 'no_index'
        when expected_variance_points is null then 'no_expected_move'
    end as reason
from realised
order by minute_et, book_basis
