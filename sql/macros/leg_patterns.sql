-- Every way the legs of a shape can have been bought and sold, first leg bought: see
-- shape_patterns. `named` are the positions of the legs that give it its name: all, or, where
-- `is_rest`, all but its one synthetic future.
create or replace macro leg_patterns(shapes_table, is_every_way) as table
with

distinct_shapes as (
    select
        shape,
        any_value(types) as types,
        any_value(expiries) as expiries,
        any_value(strikes) as strikes,
        any_value(ratios) as ratios,
        any_value(width) as width
    from query_table(shapes_table)
    group by shape
),

-- the two legs of a synthetic future are neighbours in canonical order; here is the first of them
twinned as (
    select
        *,
        case when len(types) between 3 and 6 then [
            leg for leg in range(1, len(types))
            if expiries[leg] = expiries[leg + 1] and strikes[leg] = strikes[leg + 1]
                and ratios[leg] = ratios[leg + 1]
        ] else [] end as twins
    from distinct_shapes
),

-- one row a pattern: its bits are the legs after the first, set where a leg was sold; where there
-- may be a synthetic future, another row for the other legs
numbered as (
    select
        *,
        unnest(range(
            case
                when len(types) > 6 then 1
                when len(types) > 4 and len(twins) = 0 and not is_every_way then 1
                else 1 << (len(types) - 1)
            end * case when len(twins) > 0 then 2 else 1 end
        )) as way
    from twinned
),

signed as (
    select
        * exclude (way),
        case when len(twins) > 0 then way // 2 else way end as pattern,
        len(twins) > 0 and way % 2 = 1 as is_rest,
        [
            case when leg > 1 and (pattern >> (leg - 2)) & 1 = 1 then -1 else 1 end
            for leg in range(1, len(types) + 1)
        ] as signs
    from numbered
),

paired as (
    select
        *,
        case when is_rest then [leg for leg in twins if signs[leg] <> signs[leg + 1]] end as pairs
    from signed
)

select
    *,
    case
        when is_rest then
            [leg for leg in range(1, len(types) + 1) if leg not in (pairs[1], pairs[1] + 1)]
        else range(1, least(len(types), 7) + 1)
    end as named
from paired
where not is_rest or len(pairs) = 1;
