-- ledger.level_grades: the walls that were stated at each full hour, judged by the index after
-- them, next to the strikes next in gamma and, of the strikes left, those whose distance from the
-- index is nearest to the wall's: two that are nearer and two that are not, where there are any. A strike
-- is touched where the index comes within 0.05 % of it within the hour; then it holds unless the
-- index passes 0.1 % beyond it in the next 30 minutes. A level that is not known, or cannot be
-- judged, has no outcome but a reason.
-- grain: minute_et, book_basis, kind, role, strike
-- reads: ledger.levels, ledger.market_minutes, ledger.strikes
with

minutes as (
    select
        minute_et,
        minute_at,
        spot,
        minute_at + seconds_left * interval 1 second as closes_at,
        minute_number(minute_et) % 60 = 0
        and seconds_left >= touch_minutes() * 60 as is_graded
    from ledger.market_minutes
),

walls as (
    select
        levels.session_date,
        levels.minute_et,
        minutes.minute_at,
        minutes.closes_at,
        levels.book_basis,
        levels.spot,
        levels.reason as level_reason,
        unnest([
            {'kind': 'call_wall', 'wall': levels.call_wall},
            {'kind': 'put_wall', 'wall': levels.put_wall}
        ], recursive := true)
    from ledger.levels as levels
    inner join minutes using (minute_et)
    where minutes.is_graded
),

gammas as (
    select
        strikes.minute_et,
        strikes.book_basis,
        strikes.strike,
        unnest([
            {'kind': 'call_wall', 'gamma': strikes.call_musd, 'lowest': strikes.strike},
            {'kind': 'put_wall', 'gamma': strikes.put_musd, 'lowest': -strikes.strike}
        ], recursive := true)
    from ledger.strikes as strikes
    inner join minutes using (minute_et)
    where minutes.is_graded
),

-- the wall itself may lie farther away than strikes are published
ranked as (
    select
        gammas.*,
        1 + row_number() over (
            partition by gammas.minute_et, gammas.book_basis, gammas.kind
            order by abs(gammas.gamma) desc, gammas.lowest
        ) as rank
    from gammas
    inner join walls using (minute_et, book_basis, kind)
    where gammas.strike <> walls.wall and gammas.gamma <> 0
),

large as (
    select minute_et, book_basis, strike from ranked where rank <= graded_ranks()
    union
    select minute_et, book_basis, wall from walls where wall is not null
),

small as (
    select strikes.minute_et, strikes.book_basis, strikes.strike
    from ledger.strikes as strikes
    anti join large using (minute_et, book_basis, strike)
),

-- a strike that is farther away is touched by a wilder index, and held less often
controls as (
    select
        walls.minute_et,
        walls.book_basis,
        walls.kind,
        small.strike,
        abs(small.strike - walls.spot) - abs(walls.wall - walls.spot) as excess,
        row_number() over (
            partition by walls.minute_et, walls.book_basis, walls.kind, excess < 0
            order by abs(excess), small.strike
        ) as place
    from walls
    inner join small using (minute_et, book_basis)
    where excess is not null
),

graded as (
    select minute_et, book_basis, kind, 'level' as role, 1 as rank, wall as strike
    from walls
    union all by name
    select minute_et, book_basis, kind, 'rank' as role, rank, strike
    from ranked
    where rank <= graded_ranks()
    union all by name
    select minute_et, book_basis, kind, 'random' as role, strike
    from controls
    where place <= graded_controls() / 2
),

placed as (
    select
        walls.session_date,
        walls.minute_et,
        walls.minute_at,
        walls.closes_at,
        walls.book_basis,
        walls.kind,
        graded.role,
        graded.rank,
        walls.spot,
        graded.strike,
        walls.level_reason,
        sign(graded.strike - walls.spot) as direction,
        abs(graded.strike - walls.spot) <= touch_share() * walls.spot as is_near
    from graded
    inner join walls using (minute_et, book_basis, kind)
),

touches as (
    select
        placed.*,
        min(later.minute_at) filter (
            placed.direction * (later.spot - placed.strike) >= -touch_share() * placed.spot
        ) as touched_at,
        min(later.minute_at) filter (later.spot is null) as missing_at
    from placed
    left join minutes as later
        on later.minute_at > placed.minute_at
        and later.minute_at <= placed.minute_at + touch_minutes() * interval 1 minute
    group by all
),

judged as (
    select
        touches.*,
        coalesce(bool_or(
            touches.direction * (later.spot - touches.strike) >= break_share() * touches.spot
        ), false) as is_broken,
        coalesce(bool_or(later.spot is null), false) as has_gap
    from touches
    left join minutes as later
        on later.minute_at >= touches.touched_at
        and later.minute_at <= touches.touched_at + hold_minutes() * interval 1 minute
    group by all
),

reasoned as (
    select
        *,
        case
            when spot is null then 'no_spot'
            when strike is null then coalesce(level_reason, 'no_wall')
            when is_near then 'at_index'
            when missing_at < coalesce(touched_at, timestamp 'infinity') then 'no_index'
            when touched_at is null then null
            when touched_at + hold_minutes() * interval 1 minute > closes_at then 'too_late'
            when has_gap then 'no_index'
        end as reason
    from judged
)

select
    session_date,
    minute_et,
    book_basis,
    kind,
    role,
    rank::integer as rank,
    spot,
    strike,
    case when strike is null or reason = 'at_index' then null else touched_at end as touched_at,
    case
        when reason is not null then null
        when touched_at is null then 'untouched'
        when is_broken then 'broken'
        else 'held'
    end as outcome,
    reason
from reasoned
order by minute_et, book_basis, kind, role, strike
