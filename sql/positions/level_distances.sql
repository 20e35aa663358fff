-- positions.level_distances: distance of the levels of its minute from the index and from each
-- short strike, for each case: the level less the point, above zero where the level is the higher
-- one. An unknown distance is null, with its reason.
-- grain: case_id, leg
-- reads: positions.cases, positions.market_conditions
with

points as (
    select
        cases.case_id,
        market.flip,
        market.flip_lo,
        market.flip_hi,
        market.call_wall,
        market.put_wall,
        market.no_level,
        market.spot_error,
        -- a minute without a flip, or with one wall alone, may still have the other wall
        market.no_level not in ('no_root', 'no_bound', 'no_calls', 'no_puts') as has_no_wall,
        unnest([
            {'leg': 'index', 'point': market.spot},
            {'leg': 'sp', 'point': cases.short_put},
            {'leg': 'sc', 'point': cases.short_call}
        ], recursive := true)
    from positions.cases as cases
    inner join positions.market_conditions as market using (session_date, minute_et)
)

select
    case_id,
    leg,
    flip - point as flip_points,
    flip_lo - point as flip_points_lo,
    flip_hi - point as flip_points_hi,
    call_wall - point as call_wall_points,
    put_wall - point as put_wall_points,
    case
        when flip_points is not null then null
        when point is null then 'no_spot'
        else no_level
    end as flip_reason,
    -- of sessions that were published before the bar was
    case when flip_points_lo is null then coalesce(flip_reason, 'no_bar') end as bar_reason,
    case
        when call_wall_points is not null then null
        when point is null then 'no_spot'
        when has_no_wall then no_level
        else 'no_calls'
    end as call_wall_reason,
    case
        when put_wall_points is not null then null
        when point is null then 'no_spot'
        when has_no_wall then no_level
        else 'no_puts'
    end as put_wall_reason,
    -- a strike is where it is
    case when leg = 'index' then spot_error end as point_error
from points
where leg = 'index' or point is not null
order by case_id, leg
