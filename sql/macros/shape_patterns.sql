-- Every way the legs of a shape can have been bought and sold, first leg bought, with its name.
-- `shapes_table` has shape, types, expiries, strikes, ratios and width of package_shapes; each
-- distinct shape is named once, so the work does not grow with the prints. Beyond six legs there
-- is one row, 'custom'. A custom pattern with one synthetic future (call against put, one strike,
-- equal size) is named by its other legs and flagged as hedged_with_combo. Unless `is_every_way`, a
-- shape of five or six legs without a synthetic future, which has no name in any way, is one row.
create or replace macro shape_patterns(shapes_table, is_every_way) as table
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
        ] end as twins
    from distinct_shapes
),

-- one row a pattern: its bits are the legs after the first, set where a leg was sold
numbered as (
    select
        *,
        unnest(range(case
            when len(types) > 6 then 1
            when len(types) > 4 and len(twins) = 0 and not is_every_way then 1
            else 1 << (len(types) - 1)
        end)) as pattern
    from twinned
),

signed as (
    select
        *,
        [
            case when leg > 1 and (pattern >> (leg - 2)) & 1 = 1 then -1 else 1 end
            for leg in range(1, len(types) + 1)
        ] as signs
    from numbered
),

sized as (
    select
        *,
        [x[1] * x[2] for x in list_zip(signs, ratios)] as quantities,
        case when len(twins) > 0 then [leg for leg in twins if signs[leg] <> signs[leg + 1]] end
            as pairs
    from signed
),

-- the legs beside the one synthetic future
rests as (
    select
        *,
        [leg for leg in range(1, len(types) + 1) if leg not in (pairs[1], pairs[1] + 1)] as kept
    from sized
    where len(pairs) = 1
),

variants as (
    select shape, pattern, signs, width, false as is_rest, types, expiries, strikes, quantities
    from sized
    union all
    select
        shape, pattern, signs, width, true, list_select(types, kept), list_select(expiries, kept),
        list_select(strikes, kept), list_select(quantities, kept)
    from rests
),

bought as (
    select *, plain_structure(types, expiries, strikes, quantities, width) as structure
    from variants
),

named as (
    select *, sold_structure(structure, types, strikes, quantities) as structure_when_sold
    from bought
),

full_names as (
    select
        named.shape,
        named.pattern,
        named.signs,
        named.structure,
        named.structure_when_sold,
        rests.structure as rest_structure,
        rests.structure_when_sold as rest_structure_when_sold,
        -- not a condition of the join: it would be pushed down, and every name be found twice
        named.structure = 'custom' and coalesce(rests.structure <> 'custom', false)
            as is_hedged_with_combo
    from named
    left join named as rests
        on rests.shape = named.shape and rests.pattern = named.pattern and rests.is_rest
    where not named.is_rest
)

select
    shape,
    pattern,
    signs,
    case when is_hedged_with_combo then rest_structure else structure end as structure,
    case when is_hedged_with_combo then rest_structure_when_sold else structure_when_sold end
        as structure_when_sold,
    is_hedged_with_combo
from full_names;
